"""Parts that several mails share: boards, orders, what there is to do, buttons."""
