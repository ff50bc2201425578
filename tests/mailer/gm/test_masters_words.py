"""Who has run games on njudge or DPjudge: what they write to run one here, and is answered."""

from __future__ import annotations

import pytest

from games.models import Game, Press
from games.services.adjudication.phases import phase_process_now
from mailer.commands.gm.lines.elsewhere import instead_of
from mailer.commands.player.legacy_commands import _FOR_GMS, SENTENCES
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast, address_of, make_player
from tests.mailer.correspondence import answer_to, flat, gm_reads, home, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
GM = "gm@players.test"


# --- every word of theirs leads somewhere ---------------------------------------------------


@each_row("word", sorted(one for one, said in SENTENCES.items() if said == _FOR_GMS))
def test_what_players_are_told_is_for_game_masters_is_known_where_masters_write(
    marne: Cast, word: str
) -> None:
    said = gm_reads(marne, word.upper())
    dead_end = said.endswith(f"You wrote “{word.upper()}”")
    assert not dead_end
    assert "Did you mean" not in said


@each_row(
    ("text", "said"),
    [
        ("SIGNON Mmarne secret", "You need not sign on, and there are no passwords"),
        ("MASTER marne", "You need not sign on, and there are no passwords"),
        ("BECOME MASTER", "You need not become the game master: write the commands alone."),
        ("PROMOTE hugo@players.test", "That is done on the game's page in the admin."),
        ("SET PRESS NONE", "Map, rules, press, votes and scoring never change."),
        ("GET DEDICATION Carla", "shows who plays and how reliable they have been"),
        ("WHO IS LATE", "Carla. Nothing has come yet."),
        ("LATE France 24h because we agreed", "All have the same deadline: EXTEND moves it"),
        ("WARN Ben because he was rude", "WRITE TO and a power writes to its player alone."),
        ("HANDOVER TO Hugo", "add a co-GM on the game's page in the admin"),
        ("TABLE spring-cup", "Write that in a mail of its own"),
        ("I am well again, so please resume the game.", "RESUME lets the clock"),
        ("Please roll the game back to spring 1901", "ROLLBACK and a phase like F1901M"),
        ("Let's take a break for one week", "PAUSE and why stops the clock"),
        ("EXPORT", "HISTORY and LOG show a game's record"),
        ("STATISTICS", "The mail at the end of a game has its scores"),
        ("END DRAW because all agreed", "FINISH DRAW, FINISH WIN and a power, or FINISH NONE"),
        ("ANNOUNCE Hello all", "Write it like this: WRITE TO ALL, or WRITE TO power, power"),
        ("REMIND France", "REMIND alone reminds everybody who still owes orders;"),
        ("WHOGAME", "STATUS shows who plays."),
        ("SUMMARY", "HISTORY shows the last phase"),
        ("VOTES", "shows what is voted on"),
        ("SETDEADLINE Friday", "write EXTEND TO, the day and the time, and why."),
        ("MOVE THE DEADLINE to Friday", "write EXTEND TO, the day and the time, and why."),
        ("ABORT", "FINISH NONE, and why, ends the game without a result."),
    ],
)
def test_a_word_that_is_no_command_here_is_answered_with_what_to_write(
    marne: Cast, text: str, said: str
) -> None:
    assert said in gm_reads(marne, text)


@each_row(
    ("text", "does"),
    [
        ("DUMMY France because she left", "France is in civil disorder"),
        ("CIVIL DISORDER France because she left", "France is in civil disorder"),
        ("SET ORDERS France because of rain\nA Par - Bur", "These orders of France stand"),
        ("FINISH SOLO Turkey because all agree", "ends with a win for Turkey"),
        ("FINISH CONCESSION TO Turkey because all agree", "ends with a win for Turkey"),
        ("PROCESS S1901M because of rain", "Spring 1901 movement is adjudicated at once"),
        ("Replace Carla with Hugo, she has no time", "The reason that is told: “she has no time”."),
        ("KICK Greta (reason: she left)", "The reason that is told: “she left”."),
    ],
)
def test_their_words_for_what_is_done_here_too_are_understood(
    marne: Cast, text: str, does: str
) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    write("gm", text, sender=GM, to=to)
    assert does in flat(OutboundMail.objects.get(kind="question").body)


@each_row(
    "text",
    [
        *("ROLL BACK F1901M because of rain", "END GAME", "FORCE BEGIN"),
        *("END DISORDER Italy because of rain", "End civil disorder Italy because of rain"),
    ],
)
def test_a_command_of_theirs_in_two_words_is_one(marne: Cast, text: str) -> None:
    assert "Not understood" not in gm_reads(marne, text)


def test_a_paused_game_is_activated_again(marne: Cast) -> None:
    gm_reads(marne, "SUSPEND because of rain")
    assert "The clock of marne runs again." in gm_reads(marne, "ACTIVATE")


# --- in plain words -------------------------------------------------------------------------

_EXTEND = "To move the deadline for everybody, write EXTEND 24h because, and why;"


@each_row(
    ("text", "said"),
    [
        # A command with a kind word before it is done.
        ("Please pause the game because of rain", "is paused until somebody resumes it"),
        ("please extend the deadline by 24 hours because I travel", "is now due on Fri 6 Mar"),
        ("I'd like to extend the deadline to Friday: I travel", "is now due on Fri 6 Mar"),
        ("remind everyone", "Reminded in marne: Austria, England,"),
        # A player may have asked the GM so: nothing that changes a game is done on it.
        (
            "Could you please extend by a day? Carla is travelling.",
            "To have that done, write: extend by a day because Carla is travelling.",
        ),
        ("Can you show me the map?", "The board in Spring 1901 movement"),
        ("Please pause if Italy agrees", "Nothing was done about these lines"),
        ("Please do not process", "Nothing was done about these lines"),
        ("please extend to Friday 20:00", "Write: EXTEND to Friday 20:00 because reason"),
        # What is offered works when it is sent back.
        ("can you extend to Friday", "write: extend to Friday because reason"),
        ("Can you replace Greta with Hugo?", "write: replace Greta with Hugo because reason"),
        ("Could you end the game? All agree.", "write: end the game because All agree."),
        ("Please process, but not yet", "right away. When it is time, write: PROCESS"),
        # What happens by itself is no reason to decide the phase now.
        ("process when all are in", "That happens by itself: as soon as all orders are in"),
        ("Process early if everybody has ordered", "That happens by itself"),
        ("Please process as soon as all orders are in.", "That happens by itself"),
        ("please process tomorrow", "We can only do this right away."),
        ("PROCESS Fri 20:00", "We can only do this right away."),
        # One line for several powers.
        (
            "replace France and Italy by Hugo and Ida respectively because they are ill",
            "REPLACE France BY Hugo because they are ill REPLACE Italy BY Ida because they are ill",
        ),
        ("replace Carla and Emma with Hugo", "REPLACE Italy BY player because reason"),
        (
            "VACATE France, Italy and Turkey because nobody writes",
            "France, Italy and Turkey are 3 powers. Please write for each of them alone",
        ),
        ("please write to all that I am away", "done, write: WRITE TO ALL, or WRITE TO power"),
        # Words that are no reason for all to read.
        ("Please pause the game?", "To have that done, write: pause the game because reason"),
        ("please pause the game", "Write: PAUSE the game because reason"),
        ("I'd like to pause and think about it", "write: PAUSE [length | UNTIL date] because"),
        ("Bitte pause machen", "To have that done, write: PAUSE [length"),
        ("pause was a bad idea", "PAUSE and why stops the clock"),
        ("extend 24h and pause because of rain", "We cannot read “and pause”, so nothing is"),
        ("extend 24h tomorrow because of rain", "We cannot read “tomorrow”, so nothing is"),
        ("replace me by Hugo because I travel", "choose Add a co-GM or deputy"),
        ("how can you stop a game?", "A game master can write these commands"),
        (
            "PAUSE because of rain\nPlease resume sending orders on Monday",
            "is paused until somebody resumes it",
        ),
        # What is missing is asked for with their words ready to send.
        ("please extend the deadline to Friday", "Write: EXTEND the deadline to Friday because re"),
        ("replace Ana with Hugo", "Write: REPLACE Ana with Hugo because reason"),
        ("REPLACE Austria hugo@players.test", "REPLACE Austria hugo@players.test because reason"),
        ("remove Greta from the game", "Write: REMOVE Greta from the game because reason"),
        ("end the game as a draw between England and France", "and France because reason"),
        ("replace Anna with Hugo", "Nobody called “Anna” plays in marne. Did you mean Ana?"),
        ("EXTEND 24 because of rain", "Do you mean 24h or 24d, hours or days?"),
        ("EXTEND +1d; Emma asked for it", "is now due on Fri 6 Mar 2026"),
        ("undo last turn", "marne is in its first phase"),
        # A day at whose end the clock runs again.
        ("Please pause until Friday 9am as I am ill", "paused until Fri 6 Mar 2026, 09:00"),
        ("pause the game until Jan 3, 2027 because of rain", "until Sun 3 Jan 2027"),
        ("Pause until Friday please, I am moving house", "paused until Fri 6 Mar 2026"),
        ("pause the game until Friday, it's Easter", "paused until Fri 6 Mar 2026"),
        ("pause until after Christmas", "We cannot read “after Christmas” as a day, so nothing"),
        ("pause until further notice, I am ill", "PAUSE and why stops the clock until RESUME"),
        ("extend to Friday, I am moving house", "is now due on Fri 6 Mar 2026"),
        ("EXTEND until Friday 8pm. Greta's provider is down.", "is now due on Fri 6 Mar 2026, 20"),
        ("EXTEND TO Friday, noon UTC", "Write: EXTEND TO Friday, noon UTC because reason"),
        ("EXTEND TO Friday, noon UTC because I am ill", "read “Friday, noon UTC” as a day"),
        ("EXTEND TO Sunday, I mean Monday", "Write: EXTEND TO Sunday, I mean Monday because"),
        ("EXTEND TO Friday, Carla asked for it", "is now due on Fri 6 Mar 2026, 12:00"),
        ("remove Turkey from civil disorder", "There is no power “Turkey from civil disorder”"),
        ("EXTEND until Fri. 6 March at noon UTC", "Write: EXTEND until Fri. 6 March at noon UTC b"),
        # A letter without a command.
        (
            "Dear players,\nplease send your orders on time.\n\nBest,\nThe GM",
            "below “Dear players,” reads like a letter, and nobody has got it. To send it, send it "
            "again with the line WRITE TO ALL above it.",
        ),
        ("Dear Greta, please be nicer in press.", "To send it, write WRITE TO Turkey on a line"),
        ("Hi Italy and Ana,\nplease stop shouting.", "the line WRITE TO Italy, Austria above it"),
        ("EXTEND 24h because of rain\n\nDear all,\nsorry for that.", "the line WRITE TO ALL"),
        ("SETORDERS for France: A Par - Bur; A Mar - Spa", "the orders on the lines below"),
        # A question that a command answers.
        ("who is missing?", "France: Carla. Nothing has come yet."),
        (
            "Can you tell me who still has to send orders? And when is the deadline again?",
            "France: Carla. Nothing has come yet.",
        ),
        ("what's the deadline?", "Deadline: Thu 5 Mar 2026, 12:00 UTC"),
        ("who hasn't sent orders", "France: Carla. Nothing has come yet."),
        ("Has Italy ordered yet?", "France: Carla. Nothing has come yet."),
        ("Wer fehlt noch?", "France: Carla. Nothing has come yet."),
        ("How do I extend the deadline?", "Write: EXTEND length | TO date | REGULAR"),
        ("What commands are there?", "A game master can write these commands"),
        ("How do I run a tournament of four boards?", "Make a round makes the games of the next"),
    ],
)
def test_a_masters_own_words_are_followed_or_told_what_to_write(
    marne: Cast, text: str, said: str
) -> None:
    told = gm_reads(marne, text)
    assert said in told
    assert "Did you mean PAUSE?" not in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("change the deadline to 48 hours", _EXTEND),
        ("please cancel the extension", "To move the deadline, write EXTEND TO, the day"),
        ("I'd like to make a new game", "choose New game in the admin, or write CREATE"),
        ("cancel the pause", "RESUME lets the clock of a paused game run again."),
        ("Please give everybody 24 hours more.", _EXTEND),
        ("Please give everybody one more day, Carla is ill.", _EXTEND),
        ("Give her an extra two days please.", _EXTEND),
        ("Bitte die Deadline bis Freitag verlängern", _EXTEND),
        ("send this to all players: sorry!", "WRITE TO ALL, or WRITE TO and powers, sends"),
        ("let France change his orders", "Until the deadline a player can send better orders."),
        ("go ahead and process", "PROCESS adjudicates the open phase now"),
        ("what did France order?", "Orders and press stay secret until the phase is over"),
        ("freeze the game for a week", "PAUSE and why stops the clock until RESUME"),
        ("Turkey resigned. Please find a replacement.", "VACATE and a power, and why, opens its"),
        ("Turkey is in CD", "DISORDER and a power, and why"),
        ("go back to S1901", "ROLLBACK and a phase like F1901M"),
        ("stop the game", "FINISH NONE, and why, ends the game; PAUSE and why only stops"),
        ("I made a mistake, roll back to spring", "ROLLBACK and a phase like F1901M"),
        ("I resign as GM", "choose Add a co-GM or deputy on the game's page"),
        ("Carla asked for 24h more, ok from me", _EXTEND),
        ("ok give her 24 hours", _EXTEND),
        ("can we give everyone a week more?", _EXTEND),
        ("skip Turkey, she is late", "DISORDER and a power, and why, declares civil disorder"),
        ("force the phase at midnight", "PROCESS adjudicates the open phase now"),
        ("ban Greta", "VACATE and a power, and why, takes it from its player."),
        (
            "Turkey is cheating, what can I do?",
            "rules of this server, write MODERATOR",
        ),
        ("make Hugo co-GM", "choose Add a co-GM or deputy on the game's page"),
        ("what is the email address of Turkey?", "WRITE TO and a power reaches its player"),
        ("make the game anonymous", "Map, rules, press, votes and scoring never change."),
        ("please do not extend yet", "unless you ask for it, but the clock runs on: PAUSE and why"),
        ("give France to Hugo", "REPLACE France BY, a player's name or address, and why"),
        ("I have paused the game", "PAUSE and why stops the clock until RESUME"),
        ("Everybody gets two more days, it's carnival here.", _EXTEND),
        ("Le délai est prolongé de 24 heures.", _EXTEND),
        ("The adjudication is wrong: A Bur should stand.", "To put an order right, write ROLLBACK"),
        ("The map is wrong. Please fix the board.", "HISTORY says why each order went as it did"),
        ("Carla cannot go on, put Hugo in her place", "REPLACE France BY, a player's name"),
        ("Don't count it against Greta, she was ill", "EXCUSE and a power or player, and why"),
        ("I am still waiting for orders from Turkey.", "REMIND alone reminds everybody who"),
        ("What are the rules for retreats?", "RULES shows the rules in short"),
        ("New rule: no draws before 1905", "rules, press, votes and scoring never change"),
        ("The orders of France came by phone: A Par - Bur", "SETORDERS and a power, and why"),
        ("no, sorry, I meant 12 hours", "Please write the whole command again"),
        ("Can I see France's press?", "Orders and press stay secret"),
        ("SET GRACE Mar 6", "All have the same deadline: EXTEND moves it for everybody"),
        ("Germany writes insults to everybody.", "The moderators decide who may write press"),
        ("I am on holiday, could Hugo look after the game?", "choose Add a co-GM or deputy"),
        ("Sorry, my ruling on Italy was wrong.", "To put an order right, write ROLLBACK"),
        ("I told Italy something wrong. How do I put that right?", "To put an order right"),
        ("We are in F1904M on another judge.", "you cannot enter a position from elsewhere"),
    ],
)
def test_a_wish_in_a_masters_own_words_is_told_what_to_write(text: str, said: str) -> None:
    assert said in instead_of(text)


def test_a_line_of_kind_words_alone_asks_for_nothing() -> None:
    assert not instead_of("Please ?")


def test_the_last_turn_is_the_phase_processed_last(marne: Cast) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    write("gm", "undo the last turn because of a slip", sender=GM, to=to)
    asked = OutboundMail.objects.get(kind="question")
    assert "Spring 1901 movement is played again" in flat(asked.body)


def test_the_turn_is_no_reason_to_process_it(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    write("gm", "Please process the turn now.", sender=GM, to=to)
    write("gm", "YES", sender=GM, to=OutboundMail.objects.get(kind="question").reply_to)
    [event] = marne.events("phase_processed")
    assert not event.payload.get("why")


def test_kind_words_in_a_letter_to_players_stay_in_it(marne: Cast) -> None:
    gm_reads(marne, "WRITE TO Italy\nPlease write to me.\nPlease remind everyone.")
    assert Press.objects.get().text == "Please write to me.\nPlease remind everyone."


def test_a_letter_to_players_may_be_greeted_above_its_command(marne: Cast) -> None:
    gm_reads(marne, "Dear all,\nWRITE TO ALL\nGood luck!")
    assert Press.objects.get().text == "Good luck!"


@each_row(
    "text",
    [
        "WRITE TO ALL\nGood luck!\nEND\nWRITE TO ALL\nGood luck!",
        "WRITE TO Italy: Good luck!\nGood bye!\nWRITE TO Italy: Good luck!\nGood bye!",
    ],
)
def test_a_letter_that_stands_twice_in_a_mail_is_sent_once(marne: Cast, text: str) -> None:
    assert gm_reads(marne, text).count("Your text is on its way") == 1
    assert Press.objects.count() == 1


def test_a_letter_that_was_not_sent_gets_no_advice_on_what_it_says(marne: Cast) -> None:
    letter = "Dear players,\nsorry for the silence. The deadline stays as it is.\nBest, Gina"
    said = gm_reads(marne, letter)
    assert "To send it, send it again with the line WRITE TO ALL above it." in said
    assert "EXTEND" not in said
    assert "Did you mean EXTEND?" in gm_reads(marne, f"{letter}\nEXTEDN 24h because of me")


@each_row("text", ["Hi all,\nSTATUS", "Dear judge,\nPorcess", "Hi Hugo,\nwho is late"])
def test_what_is_no_letter_to_players_is_not_called_one(marne: Cast, text: str) -> None:
    assert "reads like a letter" not in gm_reads(marne, text)


@each_row(
    ("text", "subject"),
    [("thanks!", "Nothing to do"), ("ok", "NOT done: OK"), ("No", "NOT done: NO")],
)
def test_the_subject_names_what_the_master_wrote(marne: Cast, text: str, subject: str) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    assert answer_to(write("gm", text, sender=GM, to=to)).subject == f"[marne] {subject}"


@each_row(
    "text",
    [
        "please extend by 24h because of rain... no wait, don't",
        "please extend by 24h because of rain\nno wait, don't",
        "EXTEND 24h because of rain\nForget it, the rain is over.",
        "EXTEND 24h because of rain, if everybody agrees",
        "EXTEND 24h because of rain\nif everybody agrees",
        "PAUSE when Greta asks again",
        "PAUSE for thought: who would have expected that",
        "EXTEND 2 days? What do you all think?",
        "pause the game because I am bored - just kidding",
        "Greta writes me this:\n\nDear GM,\nplease extend by 24 hours because I travel.",
        "Dear all,\nPAUSE because of rain",
        "Dear Greta,\nPAUSE because of rain",
        "Hi Turkey -\nPAUSE because of rain",
        "Hello, Carla - as you asked.\nEXTEND 24h because Carla travels",
        # All have one deadline.
        "EXTEND 24h for Germany",
        "EXTEND TO Friday for Carla, who is ill",
        "STATUS\nGM somme\nPAUSE because of rain",
        # A second wish in the reason, where all would read it and nobody do it.
        "EXTEND 24h because Carla is travelling and please remind Turkey",
        "EXTEND 24h because it rains, then process",
        "pause the game because of Christmas, and replace Greta with Hugo",
    ],
)
def test_a_master_who_may_not_mean_it_is_asked_first(marne: Cast, text: str) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    mail = write("gm", text, sender=GM, to=to)
    assert answer_to(mail).kind == "question"
    assert not marne.events("deadline_moved") + marne.events("game_paused")


def test_a_game_that_decides_nothing_early_is_told_where_to_change_that(marne: Cast) -> None:
    Game.objects.update(process_early=False)
    said = gm_reads(marne, "process when all are in")
    assert "choose Change settings on the game's page in the admin" in said


@each_row(
    "text",
    [
        "EXTEND 24h because of rain\nEXTEND 24h because of rain",
        "EXTEND 24h because of rain\n\nIf this mail is not for you, please do not read it.",
        "EXTEND 24h because of rain, once more. Don't worry!",
        "Hi team,\n\nEXTEND 24h because of rain",
        "Hi!\nplease extend by 24h because Greta does not know when she is back",
        "EXTEND 24h Greta is away for a week",
        "EXTEND 24h because the pause and process took long, please send your orders in time",
        "WRITE TO ALL\nDear all,\nwe wait:\nEND\nEXTEND 24h because of rain",
    ],
)
def test_who_means_it_is_not_asked(marne: Cast, text: str) -> None:
    gm_reads(marne, text)
    [event] = marne.events("deadline_moved")
    assert event.payload["why"] != "a week"


@each_row(
    "text",
    [
        "GM somme\nPAUSE because of rain",
        "GM: somme\n\nplease pause the game because of rain",
    ],
)
def test_what_is_for_another_game_is_not_done_to_this_one(marne: Cast, text: str) -> None:
    assert "Nothing was done for somme: reply to a mail about it" in gm_reads(marne, text)
    assert not marne.events("game_paused")


@each_row("text", ["GM marne\nPAUSE because of rain", "GM PAUSE because of rain", "GM\nSTATUS"])
def test_a_line_gm_for_this_game_stands_above_commands(marne: Cast, text: str) -> None:
    assert "Nothing was done" not in gm_reads(marne, text)


# --- what would have been guessed -----------------------------------------------------------


@each_row(
    "text",
    [
        "PAUSE FROM 24 Dec TO 6 Jan because of Christmas",
        "PAUSE 24 Dec - 6 Jan because of Christmas",
        "PAUSE next Friday because of Christmas",
        "PAUSE 3/4 because of Easter",
    ],
)
def test_a_pause_that_is_to_begin_later_does_not_begin_at_once_and_for_ever(
    marne: Cast, text: str
) -> None:
    said = gm_reads(marne, text)
    assert "A pause begins at once, so it has no first day." in said
    assert "set them as days off" in said
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.ACTIVE


def test_what_a_mail_cannot_do_or_does_not_say_is_not_done_to_one_game_or_for_ever(
    marne: Cast,
) -> None:
    for text, said in [
        ("PAUSE all games because of lunch", "“Pause all games” does it to all games"),
        ("EXTEND all boards 1h because of lunch", "“Extend all games” does it"),
        ("EXTEND 1h, every game, because of lunch", "“Extend all games” does it"),
        ("RESUME all: lunch is over", "The game marne is already being played."),
        ("PAUSE eleven weeks because of lunch", "We cannot read “eleven weeks” as a length"),
        ("PAUSE for a fortnight because of lunch", "We cannot read “a fortnight” as a length"),
    ]:
        assert said in gm_reads(marne, text), text
        marne.game.refresh_from_db()
        assert marne.game.status == Game.Status.ACTIVE, text
    assert not marne.events("deadline_moved")
    assert "paused until somebody" in gm_reads(marne, "PAUSE please: all of you are ill")
    assert "“Resume all games” does it" in gm_reads(marne, "RESUME all, because we are back")
    assert "The clock of marne runs again." in gm_reads(marne, "RESUME because all games do")
    assert "is now due" in gm_reads(marne, "EXTEND 1h for all of you because of lunch")


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("PAUSE because Hugo is away from 24 Dec", "paused until somebody resumes it."),
        ("PAUSE 10d because of the 24 Dec", "paused until Thu 12 Mar 2026, 12:00 UTC."),
    ],
)
def test_the_answer_to_a_pause_says_how_long_it_lasts(marne: Cast, text: str, until: str) -> None:
    assert until in gm_reads(marne, text)


def test_the_phase_after_process_is_no_reason_and_has_to_be_the_open_one(marne: Cast) -> None:
    said = gm_reads(marne, "PROCESS F1901M because of rain")
    assert "Fall 1901 movement is not open: it is Spring 1901 movement." in said
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    write("gm", "PROCESS S1901M", sender=GM, to=to)
    asked = OutboundMail.objects.get(kind="question")
    write("gm", "YES", sender=GM, to=asked.reply_to)
    [event] = marne.events("phase_processed")
    assert not event.payload.get("why")


def test_a_draw_of_one_power_is_no_win(marne: Cast) -> None:
    said = gm_reads(marne, "FINISH DRAW FR because all agree")
    assert "If France has won, write FINISH WIN France and why." in said
    assert not OutboundMail.objects.filter(kind="question").exists()


def test_a_yes_to_the_wrong_mail_is_told_which_one_to_answer(marne: Cast) -> None:
    said = gm_reads(marne, "YES")
    assert "We cannot tell which mail of ours your YES answers" in said
    assert "To say yes or no to something else, reply to the mail that asks you to." in said


# --- from elsewhere -------------------------------------------------------------------------


@pytest.fixture
def ida(marne: Cast) -> Cast:
    """Ida runs the game `marne`, and is registered as a player."""
    make_player("Ida")
    marne.gm.email = address_of("Ida")
    marne.gm.save()
    return marne


def said_to_ida(text: str) -> OutboundMail:
    return answer_to(write("Ida", text, to=home("Ida")))


@each_row(
    "text",
    [
        "REMIND",
        "PROCESS",
        "INVITE a@players.test, b@players.test, c@players.test, d@players.test",
        "REPLACE France BY Hugo because Carla has fallen ill",
        "DISORDER Italy because Emma has not been heard of",
        "START",
    ],
)
def test_who_runs_a_game_and_forgets_to_say_so_is_told_how_to(ida: Cast, text: str) -> None:
    word = text.split()[0]
    mail = said_to_ida(text)
    assert "You run marne: reply to a mail that you got as the game master, or write GM" in flat(
        mail.body
    )
    assert f"like GM marne {word}" in flat(mail.body)
    assert mail.subject == f"NOT done: {word}"


def test_their_status_says_which_games_they_run(ida: Cast) -> None:
    assert "You run marne: GM marne STATUS shows how it stands." in flat(said_to_ida("STATUS").body)
    hugo = flat(answer_to(write("Hugo", "STATUS", to=home("Hugo"))).body)
    assert "You run" not in hugo


@each_row("text", ["HISTORY marne", "MAP marne", "LOG marne"])
def test_who_asks_as_a_player_about_a_game_they_run_is_told_how_to(ida: Cast, text: str) -> None:
    said = flat(said_to_ida(text).body)
    assert "You run the game marne and play no power in it." in said
    assert "like GM marne HISTORY" in said


@each_row("text", ["REMIND", "START", "UNDO"])
def test_who_runs_no_game_is_not_told_of_games(marne: Cast, text: str) -> None:
    assert "You run" not in flat(answer_to(write("Hugo", text, to=home("Hugo"))).body)
