"""The named rules that a variant may have beside the standard ones: one module each.

`variant.json` switches a rule on with its facts; `judge.variant_rules.table` has the names. A rule
is one object (`judge.variant_rules.base.VariantRule`) that the standard code asks where the right
column of the table in docs/judge.md says. No code asks which variant is being played.
"""
