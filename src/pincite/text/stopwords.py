"""Function words: which words of a query carry no subject, and which words give a language away.

Two kinds of list, because the two questions differ. ``STOP_WORDS`` is what a query may do without; ``EVIDENCE`` is what
a text in that language is full of and a text in another is not, so words that two languages share ("in", "so", "was")
stand in the first and not in the second. All words are case folded, with their accents; apostrophes are left out.
The German ones stand in both spellings, ``für`` and ``fuer``.
"""


def words_of(text: str) -> frozenset[str]:
    """The words between blanks."""
    return frozenset(text.split())


ENGLISH = words_of(
    """
    a about above after again against all also am an and any are arent as at be because been before being below
    between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each few
    for from further had hadnt has hasnt have havent having he her here heres hers herself hes him himself his
    how hows i id if ill im in into is isnt it itll its itself ive just let lets me more most my myself no nor
    not of off on once only or other ought our ours ourselves out over own same she shes should shouldnt so some
    such than that thats the their theirs them themselves then there theres these they theyre theyve this those
    through to too under until up upon us very was wasnt we were werent weve what whats when where wheres which
    while who whom whos whose why will with wont would wouldnt you youll your youre yours yourself youve
    """
)

GERMAN = words_of(
    """
    aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin
    bis bist da dabei dafuer dafür damit dann daran darauf daraus darin darueber darüber das dass daß dein deine
    deinem deinen deiner dem den denen denn der deren des dessen die dies diese diesem diesen dieser dieses dir
    doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure fuer für gegen geht gehts
    gibt gibts hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
    in indem ins ist ists jede jedem jeden jeder jedes jene jener jenes jetzt kann kannst kein keine keinem
    keinen keiner koennen koennte können könnte machen man manche mein meine meinem meinen meiner mich mir mit
    muessen muss muß müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner
    seit sich sie sind so soll sollen sollte sondern sonst ueber um und uns unser unsere unserem unseren unserer
    unter viel vom von vor wann war waren warum was weg weil welche welchem welchen welcher welches wenn wer
    werde werden weshalb wie wieder wieso will wir wird wirst wo wodurch wofuer wofür wollen womit woran worauf
    worin wuerde wuerden würde würden zu zum zur zwar zwischen über
    """
)

STOP_WORDS = {"de": GERMAN, "en": ENGLISH}

# Words that neighbours of the two languages also have. "die" stays German: as an English verb it is rare.
SHARED = words_of(
    """
    a am an also and are as at bin da dem den des do du en er es had hat he her him hin i id ill in is it man me
    more my no of on or over so such the under van war was we who will
    """
)
# … and of those, the ones that are all the same the best signs of English: "the", "of" and "and" make up a tenth of it.
TELLING = words_of("and are as at do had he is it my of on or the who")

OTHER = words_of(
    """
    aan als att au aux av avec bij bir bu ce cette che com comme como con czy da dans dat de del della det deze
    di dit do dos då e een ei el elle eller em en est esta este está et ett että från för geen gli han har het
    hij hun i ik ikke il ile ils inte için ja jak je jeg jest kan la las le les lo los maar mais men met mig mit
    mutta más na naar nel nie niet nog non nous não når o och od og også om on ook op os ou où par para pas per
    pero più plus po por porque pour på que qui se sin się som sono sont su sur são såsom są te til till tot uit
    uma un una une uno van ve vi voor vous være w wat wij worden y z za zij zijn à é że
    """
)

EVIDENCE = {"de": GERMAN - SHARED, "en": (ENGLISH - SHARED - GERMAN) | TELLING}
