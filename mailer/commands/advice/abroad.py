"""What people ask in languages other than English, and the command that answers it.

Our answer is in English, as always: anybody who reads our mails can read that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ASKED: dict[str, tuple[str, ...]] = {
    "STATUS": (
        r"(?:bis\s+)?wann\b.{0,40}\b(?:frist|deadline|abgabe\w*|zugabgabe|auswertung|ergebnis\w*|weiter|nächste\w*)",
        r"wie\s+lange\s+(?:habe|haben|dauert|geht)|wer\s+spielt",
        r"(?:quand|quelle)\b.{0,40}\b(?:date\s+limite|deadline|échéance|résultats?|prochaine?)|qui\s+joue",
        r"combien\s+de\s+temps|cu[áa]nto\s+tiempo|quanto\s+tempo|hoe\s+lang|qui[ée]n\s+juega|chi\s+gioca",
        r"cu[áa](?:ndo|l)\b.{0,40}\b(?:fecha|l[íi]mite|plazo|resultados?|turno|deadline)",
        r"(?:quando|qual)\b.{0,40}\b(?:scad\w+|termine|risultat\w+|prossim\w+|turno|prazo|resultado\w*|deadline)",
        r"wanneer\b.{0,40}\b(?:deadline|uiterste|uitslag\w*|resultaten|volgende|beurt)|wie\s+speelt|quem\s+joga",
        r"kiedy\b.{0,40}\b(?:termin|wyniki|deadline)|när\b.{0,40}\b(?:deadline|resultat\w*)|когда\b.{0,40}\b(?:срок|результат\w*|дедлайн)",
    ),
    "ORDERS": (
        r"(?:habt|hast|haben)\b.{0,30}\b(?:befehle|züge|orders?|mail)\b.{0,20}\b(?:bekommen|erhalten|gekriegt)",
        r"(?:avez|as)[- ](?:vous|tu)\b.{0,20}\breçu|mes\s+ordres\b.{0,30}\b(?:reçus|arrivés)",
        r"(?:hab[ée]is|has|han)\s+recibido|recib(?:isteis|iste|ieron)|(?:avete|hai)\s+ricevuto|(?:heb|hebben|hebt)\b.{0,40}\bontvangen",
        r"recebe(?:u|ram)\b.{0,20}\bordens",
    ),
    "AMEND": (
        r"(?:kann|darf|wie|können)\b.{0,40}\b(?:ändern|korrigieren)|(?:puis-je|peut-on|comment)\b.{0,40}\b(?:changer|modifier|corriger)",
        r"(?:puedo|c[óo]mo)\b.{0,40}\b(?:cambi\w+|modific\w+|corregir)|(?:posso|come|como)\b.{0,40}\b(?:cambi\w+|modific\w+|mudar|alterar)",
        r"(?:kan|hoe|mag)\b.{0,40}\b(?:wijzigen|veranderen|aanpassen)",
    ),
    "MAP": (
        r"wo\s+(?:stehen|sind)\s+meine|(?:zeig\w*|schick\w*)\b.{0,20}\bkarte|où\s+sont\s+mes|(?:voir|envoyez)\b.{0,20}\bcarte",
        r"d[óo]nde\s+est[áa]n\s+mis|dove\s+sono\s+le\s+mie|waar\s+staan\s+mijn|onde\s+estão",
        r"wo\s+(?:ist|finde\s+ich)\b.{0,10}\bkarte|où\s+est\s+la\s+carte|d[óo]nde\s+est[áa]\s+el\s+mapa",
        r"dov['’]?\s*[eè]\s+la\s+mappa|waar\s+is\s+de\s+kaart|onde\s+está\s+o\s+mapa|gdzie\s+jest\s+mapa",
        r"var\s+är\s+kartan|где\s+карта",
    ),
    "PRESS": (
        r"wie\s+(?:schreibe|kann\s+ich|schreibt\s+man)\b.{0,30}\b(?:an|den\s+anderen|schreiben|mitspieler\w*|nachricht\w*)\b",
        r"comment\s+(?:écrire|parler|envoyer)|c[óo]mo\s+(?:escribo|hablo|mando)\b.{0,20}\b(?:a|con)|come\s+(?:scrivo|parlo)\b.{0,20}\b(?:a|con)",
        r"hoe\s+(?:schrijf|praat|stuur)\b.{0,20}\b(?:aan|met|naar|bericht)",
    ),
    "HELP ORDERS": (
        r"wie\s+(?:ziehe|bewege|schreibe|gebe|befehle|unterstütze|konvoiere|zieht\s+man)|comment\s+(?:déplacer|bouger|donner|jouer|soutenir)",
        r"c[óo]mo\s+(?:muevo|doy|se\s+(?:mueve|dan|escriben)|escribo|ordeno)|come\s+(?:muovo|si\s+(?:muove|scrivono)|scrivo|do|ordino)",
        r"hoe\s+(?:verplaats|geef|beweeg|zet)|como\s+(?:movo|dou|escrevo)",
    ),
    "EXTEND": (
        r"(?:mehr\s+zeit|aufschub|frist\s+verlänger\w*|verlängerung)|plus\s+de\s+temps|(?:repousser|prolonger|reporter)\b.{0,20}\b(?:date|délai|échéance)",
        r"m[áa]s\s+tiempo|pr[óo]rroga|pi[ùu]\s+tempo|proroga|meer\s+tijd|uitstel|mais\s+tempo",
    ),
    "RESIGN": (
        r"(?:ich|wie)\b.{0,40}\b(?:höre\s+auf|aufhören|aussteigen|spiel\s+verlassen|steige\s+aus|aus\s+dem\s+spiel|gebe\s+auf|aufgeben)|j['’]abandonne|je\s+(?:démissionne|renonce)|(?:abandonner|quitter)\s+(?:la\s+partie|le\s+jeu)",
        r"me\s+(?:rindo|retiro)|mi\s+(?:arrendo|ritiro)|(?:abandon\w+|dejar|dejo)\s+(?:la\s+partida|el\s+juego)|(?:lasci\w+|abbandon\w+)\s+(?:la\s+partita|il\s+gioco)",
        r"(?:stop\w*\s+met|verlaat|verlaten)\s+(?:dit|het)\s+spel|ik\s+geef\s+(?:het\s+)?op",
    ),
    "VOTE DRAW": (
        r"schlage\b.{0,30}\b(?:unentschieden|remis)\b|(?:unentschieden|remis)\s+vor(?:schlagen)?",
        r"propos\w+\b.{0,30}\b(?:match\s+nul|(?:partie\s+)?nulle|pareggio|patta)",
        r"propong\w+\b.{0,30}\b(?:empate|tablas|pareggio|patta)|propon\w+\b.{0,30}\b(?:empate|pareggio|patta|remis)",
        r"stel\b.{0,30}\b(?:gelijkspel|remise)\b|föreslår\b.{0,30}\boavgjort|предлагаю\b.{0,30}\bничью",
    ),
    "READY": (
        r"^\W*(?:bereit|fertig|prête?|list[oa]|pront[oa]|klaar|gotow[aey]|klar|готова?)\W*$",
    ),
    "HELP": (
        r"^\W*(?:hilfe|aide|au\s+secours|ayuda|aiuto|ajuda|pomocy|hjälp|hulp|помощь|помогите)"
        r"(?:\s*,?\s*(?:bitte|s['’]il\s+(?:vous|te)\s+pla[iî]t|por\s+favor"  # codespell:ignore te
        r"|per\s+favore|alstublieft|proszę|tack))?\W*$",
    ),
    "RULES": (
        r"(?:wo|wie|was|welche|gibt)\b.{0,30}\bregeln|(?:où|quelles)\b.{0,30}\brègles|(?:d[óo]nde|cu[áa]les)\b.{0,30}\breglas",
        r"(?:dove|quali)\b.{0,30}\bregole|(?:waar|wat)\b.{0,30}\bspelregels",
    ),
}
_PATTERNS = {
    command: re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
    for command, words in _ASKED.items()
}


def asked_abroad(text: str) -> Iterator[str]:
    """The commands that answer a question in a language other than English."""
    return (command for command, words in _PATTERNS.items() if words.search(text))
