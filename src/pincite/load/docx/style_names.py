"""What the names of styles say, in the languages of Word and LibreOffice.

Word writes the names of its own styles in English whatever its language; other programs, and styles made by hand, do
not.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

RoleKind = Literal["body", "heading", "title", "code", "quote", "caption", "contents", "bullet", "continuation"]
"""``contents`` is an entry or the heading of a table of contents; ``continuation`` goes on with the list item above;
``bullet`` is an item of a list whose numbering is not said elsewhere."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a paragraph is. ``level``: of a heading from 1, of a bullet its depth from 1, otherwise 0."""

    kind: RoleKind
    level: int = 0


BODY = Role("body")

# In the order: Germanic, Romance, Slavic, other European, Asian. Some programs leave letters outside ASCII out of ids.
_HEADING = (
    "heading|head|überschrift|ueberschrift|berschrift|kop|rubrik|overskrift|fyrirsögn"
    "|titre|título|titulo|ttulo|titolo|titlu|encabezado|encapçalament|títol"
    "|nagłówek|nagwek|nadpis|naslov|заголовок|заглавие|наслов"
    "|otsikko|címsor|cmsor|επικεφαλίδα|başlık|balk|antraštė|virsraksts|pealkiri|tiêu đề"
    "|見出し|标题|標題|제목|כותרת|عنوان|หัวเรื่อง|शीर्षक"
)
_NUMBERED = re.compile(rf"(?:{_HEADING}) ?([1-9])")
_CONTENTS = re.compile(
    r"(?:toc|verzeichnis|inhaltsverzeichnis|contents|tm|tdc|índice|sommario|indice|inhopg|innehåll|indholdsfortegnelse"
    r"|inng|inndhold|spis treści|obsah|оглавление|tartalomjegyzék|sisluet|sisällysluettelo|目次|目录|目錄|목차) ?[1-9]"
)
_BULLET = re.compile(
    r"(?:list bullet|list number|listbullet|listnumber|aufzählungszeichen|listennummer|liste à puces"
    r"|liste à numéros|lista con viñetas|lista con números|punto elenco|numero elenco|lijstopsomteken|lijstnummering"
    r"|punktlista|numrerad lista|lista punktowana|lista numerowana|箇条書き|段落番号) ?([1-5]?)"
)
_CONTINUATION = re.compile(
    r"(?:list continue|list paragraph|listparagraph|listcontinue|listenfortsetzung|listenabsatz|paragraphe de liste"
    r"|liste continue|párrafo de lista|continuar lista|paragrafo elenco|lijstalinea|lijstvoortzetting|liststycke"
    r"|akapit z listą|リスト段落) ?[1-5]?"
)

_NAMES: tuple[tuple[RoleKind, str], ...] = (
    ("title", "title|titel|titre|título|titulo|titolo|titlu|tittel|tytuł|název|názov|naslov|cím|название|τίτλος"),
    ("title", "konu başlığı|표제|제목|標題|标题|表題|タイトル|כותרת טקסט"),
    ("body", "subtitle|untertitel|sous-titre|subtítulo|sottotitolo|ondertitel|underrubrik|undertitel|undertittel"),
    ("body", "podtytuł|podnadpis|подзаголовок|alcím|alaotsikko|altyazı|副題|副标题|副標題|부제"),
    ("code", "code|code block|source code|sourcecode|html preformatted|htmlpreformatted|preformatted text|verbatim"),
    ("code", "listing|macro|macro text|quelltext|quellcode|programmcode|html vorformatiert|vorformatierter text"),
    ("code", "préformaté html|texte préformaté|html con formato previo|código|codigo|codice|preformattato html"),
    ("code", "html-voorafopgemaakt|html-förformaterad|kod|kod źródłowy|html - wstępnie sformatowany|代码|コード"),
    ("quote", "quote|intense quote|quotations|block text|block quotation|block quote|blockquote|blocktext"),
    ("quote", "zitat|intensives zitat|blockzitat|citation|citation intense|cita|cita destacada|citação|citazione"),
    ("quote", "citazione intensa|citaat|duidelijk citaat|citat|starkt citat|cytat|cytat intensywny|citace|цитата"),
    ("quote", "alıntı|idézet|lainaus|引用文|引用|인용"),
    ("caption", "caption|beschriftung|légende|legende|descripción|epígrafe|leyenda|didascalia|legenda|bijschrift"),
    ("caption", "bildtext|beskrivning|billedtekst|bildetekst|podpis|titulek|название объекта|resim yazısı"),
    ("caption", "képaláírás|kuvaotsikko|図表番号|题注|標號|캡션"),
    ("contents", "toc heading|contents heading|inhaltsverzeichnisüberschrift|inhaltsverzeichnis überschrift"),
    ("contents", "en-tête de table des matières|título tdc|titolo sommario|kopvan inhoudsopgave|innehållsförteckning"),
    ("contents", "table of figures|abbildungsverzeichnis|table des illustrations|tabla de ilustraciones"),
)
_ROLES = {name: Role(kind, 1 if kind == "title" else 0) for kind, names in _NAMES for name in names.split("|")}


def role_of_name(name: str) -> Role | None:
    """The role that a style of that name has, ``None`` for a name that says nothing.

    >>> role_of_name("Überschrift 2")
    Role(kind='heading', level=2)
    >>> role_of_name("Dok_Titel") is None
    True
    """
    plain = unicodedata.normalize("NFKC", name).partition(",")[0]  # other names of the style follow after a comma
    plain = " ".join(plain.casefold().split())
    if role := _ROLES.get(plain):
        return role
    if match := _NUMBERED.fullmatch(plain):
        return Role("heading", int(match[1]))
    if _CONTENTS.fullmatch(plain):
        return Role("contents")
    if match := _BULLET.fullmatch(plain):
        return Role("bullet", int(match[1] or 1))
    return Role("continuation") if _CONTINUATION.fullmatch(plain) else None
