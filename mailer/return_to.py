"""The header of ours with the secret address of a mail, where its envelope sender is everybody's
(`VERP=0`): a server that sends the mail back returns its header, which no answer to it has."""

RETURN_TO = "X-Return-To"
