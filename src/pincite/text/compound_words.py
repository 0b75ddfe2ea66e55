"""The words that German compounds are made of, as far as they are known; folded, see ``compounds``."""

from pincite.text.stopwords import words_of

NOUNS = words_of(
    """
    abbau abend abfall abflug abfrage abgabe abgas ablage ablauf ableitung abnahme abrechnung abruf absatz
    abschied abschluss abschnitt absender absicht abstand abstimmung abteil abteilung abwasser abweichung
    abwicklung achse acker adapter adresse agentur akademie akte aktie aktion aktivierung akzeptanz alarm
    algorithmus alltag alter amt analyse anbau anbieter anfang anfrage angabe angebot angriff angst anhang anker
    anlage anlass anleitung anlieferung anmeldung annahme anpassung anrede anruf anschluss anschrift ansicht
    anspruch antenne antrag antrieb antwort anwalt anweisung anwendung anzahl anzeige apfel apparat arbeit
    arbeiter arbeitgeber arbeitnehmer archiv arm armee art artikel arznei arzt aspekt assistent atem atom auditor
    aufbau aufenthalt aufgabe auflage auflosung aufnahme aufruf aufsatz aufsicht auftrag aufwand aufzug auge
    ausbau ausbildung ausfall ausfuhr ausgabe ausgang auskunft ausland ausnahme ausrustung ausschluss ausschuss
    ausstattung ausstellung austausch auswahl ausweis auto automat autor backer backup bad bahn bahnhof balken
    ball band bank bar basis batterie bau bauer baum baustein beamter bearbeitung bedarf bedeutung bedienung
    bedingung befehl befragung beginn begriff behandlung behorde beispiel beitrag bekleidung belastung beleg
    beleuchtung benachrichtigung benutzer benutzung benzin beobachtung berater beratung berechnung berechtigung
    bereich berg bericht beruf beschaffung bescheid bescheinigung beschluss beschrankung beschreibung beschwerde
    besitz besitzer bestand bestandteil bestatigung bestellung besteuerung besuch besucher beteiligung betrag
    betreiber betreuer betreuung betrieb bett bevolkerung bewegung beweis bewerber bewerbung bewertung bezahlung
    bezeichnung beziehung bezirk bezug bibel bibliothek bier bild bildschirm bildung bindung blatt blick block
    blume blut boden bogen boot bord borse bote botschaft brand brauch brauerei breite bremse brett brief brille
    brot bruch brucke bruder brust buch buchung budget buhne bund bundel burg burger buro bus butter cache
    charakter chef chemie chip client cluster code computer container dach datei daten datenbank datenschutz datum
    dauer decke deckel deckung demokratie denkmal dichte dieb dienst dienstleistung ding diplom direktor disk
    dokument dorf dosis draht druck drucker duft dunger durchfuhrung durchmesser durchschnitt ebene ecke ehe ehre
    eigenschaft eigentum eigentumer eimer einbau einfluss einfuhr einfuhrung eingabe eingang einheit einkauf
    einkommen einladung einnahme einrichtung einsatz einschrankung einstellung eintrag eintritt einwilligung
    einwohner eis eisen eisenbahn element eltern empfang empfanger endpunkt endung energie engpass entfernung
    entgelt entlassung entnahme entschadigung entscheidung entsorgung entwickler entwicklung entwurf erbe
    erbschaft erdbeben erde ereignis erfahrung erfassung erfolg ergebnis erhaltung erhohung erinnerung erkennung
    erklarung erlaubnis erlauterung erlos ermittlung ernahrung ernte ersatz erstattung ertrag erweiterung erz
    erzeuger erzeugnis erzeugung erziehung esel essen etage export fabrik fach fachkraft faden fahigkeit fahne
    fahre fahrer fahrrad fahrt fahrzeug faktor fall familie farbe fass fassung faust feder fehler feier feiertag
    feind feld fell fels fenster ferien fertigung fest festival festplatte fett feuer feuerwehr fieber film filter
    finanz finger firma fisch flache flagge flasche fleisch fliege flotte flucht flug flughafen flugzeug flur
    fluss flussigkeit folge folie fonds forderung form format formel formular forscher forschung forst fort foto
    fracht frage fragment frau freigabe freiheit freizeit freund frieden frist frucht fruchte fruhling fuhrer
    fuhrung fund fundament funk funktion furst fuss futter gabe gang gans garage garantie garten gas gasse gast
    gebaude gebet gebiet gebirge gebrauch gebuhr geburt geburtstag gedanke gedicht gefahr gefangnis gefass gefuhl
    gegenstand gehalt gehause gehirn geist gelande geld gelenk gemalde gemeinde gemeinschaft gemuse genehmigung
    general generation gerat gerausch gericht geruch gesang geschaft geschenk geschichte geschlecht
    geschwindigkeit gesellschaft gesetz gesicht gesprach gestaltung gesundheit getrank getreide getriebe gewalt
    gewasser gewebe gewerbe gewerkschaft gewicht gewinn gewitter gift gipfel gitter glas glaube glaubiger gleis
    glied glocke gluck gold gott grab grad graf gras grenze griff grosse grund grundlage grundstuck gruppe
    gultigkeit guter haar hafen haft haftung hahn halle hals halt halter haltung hand handel handler handlung
    handwerk hang hauptstadt haus haushalt haut heft heim heimat heizung held helfer hemd hemmung herd herr
    herrschaft hersteller herstellung herz herzog hilfe himmel hindernis hintergrund hinweis hirsch hitze hobby
    hochschule hochzeit hof hohe holle holz honig hotel hugel huhn hund hunger hut hutte hygiene idee import index
    industrie information infrastruktur ingenieur inhaber inhalt insekt insel installation instanz institut
    instrument integration interesse interessen internet investition isolierung jacke jagd jager jahr jahrhundert
    jahrzehnt journal jugend junge justiz kabel kaffee kaiser kalender kalte kamera kamin kammer kampf kanal
    kanzlei kapazitat kapital kapitan kapitel karte kartoffel kasse kassen kasten katalog kategorie katze kauf
    kaufer kaution keller kellner kenntnis kennung kennzahl kennzeichen kern kerze kessel kette kind kino kirche
    kissen klage klammer klang klasse klausel kleid kleidung klima klinge klinik kloster knochen knopf knoten koch
    koffer kohle kollege kolonie komitee komma kommission kommunikation komponente konferenz konfiguration
    konflikt konig kontakt kontext konto kontrolle konzept konzern konzert kopf kopie korb korn korper korrektur
    kosten kraft kraftwerk kragen kran kranken krankenhaus krankheit kranz krater kraut krebs kredit kreis kreuz
    krieg krise kritik krone kuche kuchen kugel kuh kuhlung kultur kunde kunden kundigung kunst kunstler kurs
    kurve kuste labor lack lader ladung lage lager lampe land lander landwirtschaft lange larm last lauf laufzeit
    laune laut leben lebensmittel leder lehr lehre lehrer leib leiche leiste leistung leiter leitung leser licht
    liebe lied lieferant lieferung linie linse lippe liste liter literatur lizenz loch locher lock loffel logik
    lohn lokal losung luft lunge lust macht madchen magen magnet mahl mahnung makler maler mandant mandat mangel
    mann mantel marine mark marke markt maschine mass masse massen massnahme mast material matte mauer maus
    mechanik medien medikament medizin meer mehl mehrheit mehrwert meister meldung menge mensch menschen menu
    merkmal messe messer messung metall methode miete mieter migration milch militar mineral minister ministerium
    minute mischung missbrauch mitarbeiter mitglied mittag mitte mittel mittelpunkt mobel modell modul modus
    moglichkeit moment monat mond monitor montage moor moral mord motor mull mund munze museum musik musiker
    muskel muster mut mutter mutze nachbar nachfrage nachricht nachrichten nacht nachweis nagel nahrung name nase
    nation natur nebel netz netzwerk niederlassung niederschlag niveau norden norm not notar note notfall notiz
    nummer nutzen nutzer nutzung oberflache objekt obst ofen ohr ol oper operation opfer option orden ordner
    ordnung organ organisation ort osten ozean paar pacht packung paket palast panne panzer papier pappe papst
    paragraf parameter park parlament partei partner pass passage passagier passwort patent patient pause pension
    person personal pfad pfand pfanne pfarrer pfeffer pfeife pfeil pferd pflanze pflanzen pflaster pflege pfleger
    pflicht pfosten phase philosophie physik pilot pilz plan planet planung plastik platte platten platz politik
    polizei pool portal post posten praxis preis presse priester prinz prinzip probe problem produkt produktion
    professor profil programm projekt propaganda protokoll provider prozent prozess prufer prufung pult pumpe
    punkt puppe qualitat quartal quelle quellen quittung quote rabatt rad radio rahmen rakete rand rasen rat rate
    rauch raum reaktion reaktor rechner rechnung recht rede redner referenz reform regal regel regelung regen
    regierung regime region register registrierung reich reichweite reifen reihe reihenfolge reinigung reise
    rekord religion rente rentner reparatur republik reserve rest restaurant resultat rettung revision revolution
    rhythmus richter richtlinie richtung riegel riese rind ring rinne risiko ritter rock rohr rohstoff rolle roman
    rost rucken ruckgabe rucknahme ruckseite ruckzahlung ruf ruhe rumpf runde rundfunk saal sache sack saft sage
    saison salat salz sammlung sand sanger sanierung satz saule saure schach schacht schaden schadenersatz schaf
    schale schall schalter schatten schatz schau schaufel scheibe schein schema schenkung schicht schicksal
    schiedsrichter schiene schiff schild schirm schlaf schlag schlamm schlange schlauch schleife schloss schlucht
    schluss schlussel schmerz schmuck schnee schneider schnitt schnittstelle schnur schokolade schrank schraube
    schrift schriftsteller schritt schuh schuld schuldner schule schuler schulter schulung schuss schussel schutz
    schwangerschaft schwarz schwein schwelle schwerpunkt schwert schwester see seele segel segment seide seife
    seil seite sekunde semester seminar sender sendung sensor serie server service sicherheit sicherung sicht
    siedlung sieg siegel signal silber sinn sitte sitz sitzung skala skript sohn soldat sommer sonne sonntag sorge
    sorte spalte spannung sparkasse spass speicher speise sperre spiegel spiel spieler spitze sport sprache
    sprecher sprung spur staat stab stadion stadt stahl stall stamm stand standard standort stange stapel star
    start station statistik status staub stecker steg steig steigerung stein stelle stellung stempel stern steuer
    steuerung stich stiefel stift stiftung stil stimme stock stoff storung strafe strahl strahlung strand strasse
    strategie strauch strecke streifen streik streit strich strom stromung struktur stube stuck student studie
    studien studio studium stufe stuhl stunde sturm sturz suche suden sumpf suppe susse symbol system szene
    tabelle tafel tag takt tal talent tank tanz tarif tasche tasse tastatur taste tat tatigkeit tausch taxi team
    technik techniker tee teig teil teilnahme teilnehmer teilung telefon teller tempel temperatur termin terrasse
    test testament text theater thema theorie therapie ticket tiefe tier tinte tisch titel tochter tod ton topf
    tor tot tour tourismus tradition trager transaktion transport traum treffen treffpunkt treibstoff trend
    trennung treppe trommel tropfen truppe truppen tuch tunnel tur turbine turm turnier typ ubergabe ubergang
    ubernahme ubersetzung ubersicht ubertragung uberwachung uberweisung ubung ufer uhr umbau umfang umfrage
    umgebung umlage umsatz umschlag umsetzung umstand umwelt umzug unfall universitat unterhalt unterkunft
    unterlage unternehmen unternehmer unterricht unterschrift unterstutzung untersuchung urkunde urlaub ursache
    ursprung urteil vakuum vater vene ventil veranstaltung verantwortung verarbeitung verband verbindung verbot
    verbrauch verbraucher verbrechen verein vereinbarung verfahren verfall verfassung verfugbarkeit vergabe
    vergleich vergutung verhalten verhaltnis verhandlung verkauf verkaufer verkehr verlag verlangerung verletzung
    verlust vermieter vermittlung vermogen verordnung verpackung verpflichtung versand versicherung version
    versorgung verspatung verstand verstarker versuch verteidigung verteiler verteilung vertrag vertrauen
    vertreter vertretung vertrieb verwalter verwaltung verwendung verzeichnis verzogerung verzug video vieh
    viertel vogel volk vollmacht volumen vorgang vorlage vormund vorrat vorschlag vorschrift vorsitz vorsorge
    vorstand vorteil vortrag waffe waffen wagen wahl wahler wahrnehmung wahrung waise wald wand wandel wanderung
    ware waren warme warnung warte wartung wasche wasser wechsel weide wein welle welt werbung werft werk
    werkstatt werkzeug wert wesen westen wettbewerb wette wetter widerruf widerspruch widerstand wiese wind winkel
    winter wirkung wirt wirtschaft wissen wissenschaft wissenschaftler woche wochen wohnung wolke wolle wort wunde
    wunsch wurf wurst wurzel wuste zahl zahler zahlung zahn zange zaun zeichen zeichnung zeile zeit zeitpunkt
    zeitraum zeitschrift zeitung zelle zelt zensur zentrum zertifikat zeuge zeugnis ziegel ziel ziffer zimmer zins
    zitat zitrone zoll zone zubehor zucht zucker zug zugang zugriff zukunft zulage zulassung zunge zusage
    zusammenfassung zusatz zuschlag zuschuss zustand zustellung zustimmung zutat zutritt zweck zweig zwerg zyklus
    """
)

# Stems and adjectives, and nouns that mostly end other words (folgende, teilweise, unterwegs).
BEGINNINGS = words_of(
    """
    abhol abo abschreib aussen bundes dreh einzel ende fahr fern fernseh fremd fruh geheim gesamt halb haupt
    hinter hoch innen kenn klein krank kuhl kurz lade lang lebens leer leicht lese liefer liege losch mess miet
    mikro minder mindest neben neu ober pruf quer rechen rechts schliess schmelz schnell schreib schwimm selbst
    sonder spar spezial sprach staats stark sterbe stimm straf stutz such tages tief trag treib trink trocken turn
    unter volks voll warn wasch weg weise wild wohn zentral zivil zwischen
    """
)
"""What begins compounds and never ends them."""
