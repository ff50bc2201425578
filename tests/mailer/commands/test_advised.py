"""Which command answers what people say, in whatever language, and however politely."""

from __future__ import annotations

import pytest

from mailer.commands.advice.fitting import ADVICE, LOOKS, advised_command
from mailer.commands.texts.not_understood import command_meant, is_talk
from mailer.reading.seasons import letter_of
from tests.rows import each_row


@each_row(
    ("text", "command"),
    [
        ("Wann ist die nächste Frist?", "STATUS"),
        ("Wer spielt Deutschland?", "STATUS"),
        ("Where can I finalize my orders?", "READY"),
        ("How do I finalise my orders? I don't see a button.", "READY"),
        ("Do I have to confirm my orders?", "READY"),
        ("How do I confirm my address?", ""),
        ("Can I submit orders for next season already?", "HELP PHASE"),
        ("I sent my orders five minutes too late, can they still count?", "PRESS TO GM"),
        ("The results mail says my orders came late but I sent it at 11:50.", "PRESS TO GM"),
        ("Can you move the deadline forward? All orders are in!", "READY"),
        ("What's Germany's email address?", "PRESS"),
        ("What is the e-mail of the other players?", "PRESS"),
        ("Germany hasn't moved for two turns. Can someone kick him?", "PRESS TO GM"),
        ("Can Italy see what I write to England?", "PRESS"),
        ("When will the others get my press?", "PRESS"),
        ("Can I be Turkey instead in verdun?", "HELP JOIN"),
        ("Did I win?", "MAP"),
        ("are there any house rules", "RULES"),
        ("Can I play under a different name?", "SET NAME"),
        ("I want to play two games at once, is that ok?", "LIST"),
        ("Is it ok if my dad plays for me while I'm at camp?", "ABSENCE"),
        ("My friend Hugo would like to take over my country.", "PRESS TO GM"),
        ("sorry I have to drop out of verdun before it starts", "LEAVE"),
        ("I'd like to observe marne, just watching my brother play", "OBSERVE"),
        ("Stop watching marne please", "OBSERVE"),
        ("Can I replace somebody in marne? I'd take any power.", "STANDBY"),
        ("put me on the waiting list", "STANDBY"),
        ("Quand est la date limite?", "STATUS"),
        ("¿Cuándo es la fecha límite?", "STATUS"),
        ("Quando è la scadenza?", "STATUS"),
        ("Wanneer is de deadline?", "STATUS"),
        ("Habt ihr meine Befehle bekommen?", "ORDERS"),
        ("Avez-vous bien reçu mes ordres ?", "ORDERS"),
        ("Did you get it?", "ORDERS"),
        ("Kann ich meine Züge noch ändern?", "AMEND"),
        ("¿Puedo cambiar mis órdenes?", "AMEND"),
        ("Everything the same except Brest: English Channel", "AMEND"),
        ("Wo stehen meine Einheiten?", "MAP"),
        ("Wie ziehe ich mit der Flotte?", "HELP ORDERS"),
        ("Comment écrire à l'Allemagne ?", "PRESS"),
        ("Ich brauche mehr Zeit", "EXTEND"),
        ("Wie komme ich aus dem Spiel raus?", "RESIGN"),
        ("Which data do you store about me?", "EXPORT"),
        ("this is too complicated, please remove me", "STOP"),
        ("Why do I get so many mails", "STOP"),
        ("I don't want to play any more", "RESIGN"),
        ("Please change my name to Mia", "SET NAME"),
        ("What happens if two armies go to the same place", "RULES"),
        ("I have forgotten how this works", "HELP ORDERS"),
        ("what do I have to do now?", "HELP ORDERS"),
        ("what does S mean", "HELP ORDERS"),
        ("am I still in the game?", "STATUS"),
        ("how do I win?", "RULES"),
        ("How can you win this game", "RULES"),
        ("How do I win Burgundy?", ""),
        ("Sorry, I was away for three weeks", "STATUS"),
        ("how long does a game take?", "LIST"),
        ("which one is good for beginners?", "LIST"),
        ("ups I meant F Brest to MAO", "AMEND"),
        ("okay army Paris goes to Burgundy", ""),
        ("What will you do about Burgundy?", ""),
        ("I want to go on", ""),
        ("I don't want to go on to Burgundy", ""),
        ("I don't want to go on playing", "RESIGN"),
        ("My fleet was away from Brest", ""),
        ("I was away in the forest fleet", ""),
        ("I have been away", "STATUS"),
        ("Am I in Burgundy?", ""),
        ("So many mails from Italy today!", ""),
        ("How long will you hold Belgium?", ""),
        ("Wann greifst du Burgund an?", ""),
        ("Do you delete all data after a game?", "EXPORT"),
        ("Is this GDPR compliant?", "EXPORT"),
        ("Any chance of a day's grace?", "EXTEND"),
        ("can you hold the deadline till tonight?", "EXTEND"),
        ("I'm afraid I'll have to bow out.", "RESIGN"),
        ("Where can my army retreat to?", "RULES"),
        ("How many builds do I get?", "RULES"),
        ("how many units may I build", "RULES"),
        ("I don't want to build anything", "Waive"),
        ("Si vis pacem, para bellum", ""),
        ("Si, gracias", "YES"),
        ("With great regret I have to withdraw from the game.", "RESIGN"),
        ("I have to give up my power", "RESIGN"),
        ("I'll give up the armies in Silesia and the Ruhr", ""),
        ("Which players still owe orders?", "STATUS"),
        ("Which players do you trust?", ""),
        ("Is the deadline 12:00 my time or yours?", "SET TIMEZONE"),
        ("My surname is spelled Dupond", "SET NAME"),
        ("Can I send a message to Germany and Austria?", "PRESS"),
        ("Did you get those?", "ORDERS"),
        ("My orders were in hours before the deadline and you ignored them", "ORDERS"),
        ("Please don't show my orders to anyone else.", ""),
        ("I deleted your mail by accident. Please resend.", "HISTORY"),
        ("What did Germany do last turn?", "HISTORY"),
        ("What did you do last turn, Germany?", ""),
        ("What did I order?", "ORDERS"),
        ("Can I see the game log?", "HISTORY"),
        ("Can I change my vote?", "VOTE WITHDRAW"),
        ("What are the victory conditions?", "RULES"),
        ("Are there any tournaments I can enter?", "TABLE"),
        ("Save and Lock", "READY"),
        ("[x] Ready", "READY"),
        ("Please finalize", "READY"),
        ("I'd like to finalize these orders", "READY"),
        ("I would like to finalise.", "READY"),
        ("Where can I finalize my orders?", "READY"),
        ("How do I finalise?", "READY"),
        ("When do I have to finalize these?", "READY"),
        ("Can we finalize our treaty?", ""),
        ("Please finalize the alliance with Italy", ""),
        ("un-finalize please, I want to change Brest", "WAIT"),
        ("Is there a sandbox where I can try out moves?", "HELP WHATIF"),
        ("What happens if England and I both move to the Channel?", "HELP WHATIF"),
        ("What happens if you attack?", ""),
        ("How many centers has Turkey?", "MAP"),
        ("How many armies do you have left?", ""),
        ("Which seas border on Brest?", "MAP"),
        ("Which of your armies is next to Munich?", ""),
        ("Is support cut if the attacker is dislodged?", "RULES"),
        ("Is support from you certain?", ""),
        ("Are the builds in?", "ORDERS"),
        ("Can I get the mails in German?", "HELP ORDERS"),
        ("You are in German waters", ""),
        ("Parlez-vous français ?", "HELP ORDERS"),
        ("What is my score in the tournament?", "TABLE"),
        ("I want to enter the spring cup", "TABLE"),
        ("How do I start a gunboat with 24h phases?", "CREATE"),
        ("Do you have live games?", "CREATE"),
        ("Are there games for two players?", "LIST"),
        ("Do you have games for two players?", "LIST"),
        ("I'd like to move my game here from Backstabbr.", "CREATE"),
        ("I move my fleet over here", ""),
        ("Move it over to Burgundy", ""),
        ("invite code: k7m2p9ab", "JOIN"),
        ("This address will stop working soon.", "SET ADDRESS"),
        ("I sometimes write from carla@work.test, is that a problem?", "SET ADDRESS"),
        ("My provider shuts down in June.", "SET ADDRESS"),
        ("I'll be in Tokyo next week, please show times in Japan time.", "SET TIMEZONE"),
        ("My husband plays Germany in the same game, is that allowed?", "MODERATOR"),
        ("mute Turkey", "MODERATOR"),
        ("PM to the GM: is he cheating?", "PRESS TO GM"),
    ],
)
def test_what_is_asked_has_its_command(text: str, command: str) -> None:
    assert advised_command(text) == command


@each_row(
    ("text", "meant"),
    [
        ("Could you please observe marne?", "OBSERVE marne"),
        ("please export, thanks!", "EXPORT"),
        ("I would like to hold all.", "HOLD all"),
        ("maps", "MAP"),
        ("Could you please sing?", ""),
        ("I want to here", "HERE"),
    ],
)
def test_a_command_between_kind_words_may_be_meant(text: str, meant: str) -> None:
    assert command_meant(text) == meant


@each_row("command", LOOKS)
def test_an_answer_names_the_command_that_a_yes_carries_out(command: str) -> None:
    assert all(command in one.said for one in ADVICE if one.command == command)


@pytest.mark.parametrize("text", ["¿Está bien así?", "Was nun?"])
def test_a_short_question_is_said_to_people(text: str) -> None:
    assert is_talk(text)


@each_row("text", ["A Par - Bur?", "Paris?", "A Wien nach Galizien?"])
def test_an_order_with_a_question_mark_is_not(text: str) -> None:
    assert not is_talk(text)


@each_row(
    ("word", "letter"),
    [("Herbst", "F"), ("ZIMĘ", "W"), ("летом", "S"), ("våren", "S"), ("l'automne", "F"), ("x", "")],
)
def test_a_season_has_its_letter(word: str, letter: str) -> None:
    assert letter_of(word) == letter
