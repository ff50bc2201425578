"""`make run`: the whole server, and the mail servers it needs, as one group of processes.

`supervisor` starts and watches the processes that `plan` lists; `keeper` ends them when the
supervisor itself was killed. `mailserver` is the embedded mailbox (IMAP and SMTP), `mailstore`
what it keeps on disk. All of it listens on 127.0.0.1 only.
"""
