"""Writes tests/fixtures/detokenizer/lines.tsv: language, tokens of Moses' tokenizer, and their text by sacremoses.

    python -m pip install sacremoses==0.2.0
    python tests/check_detokenizer/make_fixture.py

SENTENCES are split like in fairseq's scripts for WMT, with hyphens. TOKENS are used unchanged, like the output of a system
that does not know pairs of marks. All of them were made up for this test.
"""
import pathlib

from sacremoses import MosesDetokenizer, MosesTokenizer

FILE = pathlib.Path(__file__).parent.parent / "fixtures/detokenizer/lines.tsv"
SENTENCES = {
    "en": [
        "The ferry (the old one) leaves at 7:45, doesn't it?",
        "\"We'll be late,\" she said, \"and it's your fault!\"",
        "He paid $3.50 for the well-known map and €12 for a frame.",
        "The Joneses' garden is larger than James's, isn't it?",
        "Some 40% of the voters -- that's 1,204,000 people -- stayed at home.",
        "'Twas the worst of the 1990's, or so they say.",
        "Is it [sic] a typo, or did the author mean {x | x > 0 & x < 5}?",
        "R&D costs rose by £1.2m; sales didn't.",
        "Wait... what?! No; not again.",
        "My brother-in-law's dog, Rex, won't bite (much).",
        "The file is in C:\\temp\\new or in /usr/share/doc, whichever you've got.",
        "\"Don't shout 'fire' in here,\" the usher whispered.",
        "They sang “Auld Lang Syne” and left.",
        "Children's books: 5 for $20; students' books: free!",
        "See section 4.2.1 (page 17), fig. 3a/b and note *.",
        "The so-called \"expert\" couldn't tell a U-turn from a Y-junction.",
        "She'd've come if you'd asked.",
        "Mr. Smith, Ph.D., arrived at 10 p.m. on Jan. 5, 2014.",
        "An e-mail to a.b@example.org costs nothing (http://example.org/?q=1&r=2).",
        "What?! \"Nobody\" knows; nobody cares...",
        "The ratio is 3:1, the odds are 50-50, the score was 2–1.",
        "O'Brien's café serves crème brûlée at 5 o'clock.",
        "Press <Enter> & wait; then type \"yes\" or \"no\".",
        "¿Qué? asked the boy from El Paso, ¡sí!",
        "1/2 a cup = 120 ml; 3 + 4 = 7, 5 % is little, #1 is best.",
        "Rock 'n' roll isn't dead, y'all.",
        "(\"Are you sure?\") [No.] {Maybe.}",
        "The word 東京 means Tokyo and 大阪 京都 are cities, too.",
        "A 10-year-old girl's drawing fetched US$1,000 at the owners' auction.",
        "No quotes here, just a plain sentence.",
    ],
    "de": [
        "Die Fähre (die alte) fährt um 7.45 Uhr ab, nicht wahr?",
        "\"Wir kommen zu spät\", sagte sie, \"und du bist schuld!\"",
        "Er zahlte 3,50 € für die Karte und $12 für den Rahmen.",
        "„Wie geht's?“, fragte der Bäcker, „gut?“",
        "Rund 40 % der Wähler -- das sind 1.204.000 Menschen -- blieben zu Hause.",
        "Die Nord-Süd-Achse und der Ost-West-Handel wurden 1990/91 ausgebaut.",
        "Ist das [sic] ein Fehler, oder meint der Autor {x | x > 0 & x < 5}?",
        "Die F&E-Kosten stiegen um 1,2 Mio. £; der Umsatz nicht.",
        "Moment... was?! Nein; nicht schon wieder.",
        "Am 3. Oktober 1990, um 0:00 Uhr, läuteten die Glocken.",
        "Die Datei liegt in C:\\temp\\neu oder in /usr/share/doc.",
        "Ruf nicht 'Feuer', flüsterte der Platzanweiser.",
        "Hans' Hund beißt nicht (oder selten).",
        "Siehe Abschnitt 4.2.1 (S. 17), Abb. 3a/b und Anm. *.",
        "Der sogenannte \"Experte\" verwechselte den E-Bus mit der S-Bahn.",
        "»Komm herein«, rief er, ›oder lass es‹.",
        "Dr. Müller, geb. Groß, kam z. B. um 10 Uhr an.",
        "Eine E-Mail an a.b@example.org kostet nichts (http://example.org/?q=1&r=2).",
        "Das Verhältnis ist 3:1, der Endstand war 2–1.",
        "Drücke <Eingabe> & warte; dann schreibe \"ja\" oder \"nein\".",
        "Größe: 1,80 m, Gewicht: 75-80 kg, Note: 1-.",
        "Ein- und Ausgänge, An- und Abfahrt: alles dicht!",
        "(\"Bist du sicher?\") [Nein.] {Vielleicht.}",
        "Das Wort 東京 heißt Tokio, und 大阪 京都 sind auch Städte.",
        "Sie gewann das 100-m-Finale in 10,9 s – Rekord!",
        "Kein Zitat hier, nur ein einfacher Satz.",
        "Ein 10-jähriges Mädchen fragte: „Warum?“",
        "So 'n Mist, das ist's nicht wert.",
    ],
}
TOKENS = {
    "en": [
        "&quot; never closed , he said .",
        "' never closed , he said",
        "&quot; &quot; nothing in it",
        "&quot; one &quot; two &quot; three &quot;",
        "the <unk> 's hat and ( the others ) 's",
        "&apos;s first , then 't and &apos;ll",
        "' s apart &apos; s",
        "the boss ' office , the boss &apos; &apos; s",
        "' the boys ' ball '",
        "@-@ first , last @-@",
        "a @-@ b @-@ c @-@ @-@ d",
        "( [ { deep } ] ) ... ,; ?! !!",
        "$ 5 , ( $ 5 ) , US$ 5 , $ £ € ¥ 5 5 $",
        "¿ ¡ what ? !",
        "&amp;amp; &amp;lt; &lt;b&gt; &#91; x &#93; &#124; &bar; &bra; &ket; &copy; & ;",
        "'' twice '' and `` twice `` and ` once ` '",
        "„ low “ and “ high ” and „“ both “„ .",
        "\\ % \\% %) )% ) (",
        "'em 'Ärger '5 '_ '-",
        "a   b  ( c )   .",
        "東京 大阪 , 東 (京 京) 都 한국 어 ｶﾅ ｶ",
        ". starts with a stop",
        ")",
        "",
    ],
    "de": [
        "&quot; nie zu , sagte er .",
        "geht &apos;s , geht &apos; s , ist ' s",
        "der Boss ' Büro",
        "„ eins “ zwei „ drei “ und „ vier",
        "“ verkehrt „ herum \" gemischt “",
        "@-@ zuerst , zuletzt @-@",
        "Nord @-@ Süd @-@ Weg",
        "( [ { tief } ] ) ... ,; ?! !!",
        "5 € , ( 5 € ) , € 5 .",
        "&amp;quot; &apos; &lt; &gt; &#124;",
    ],
}


def main():
    rows = []
    for language, sentences in SENTENCES.items():
        split, join = MosesTokenizer(lang=language), MosesDetokenizer(lang=language)
        lines = [split.tokenize(sentence, aggressive_dash_splits=True, return_str=True) for sentence in sentences]
        rows += [(language, line, join.detokenize(line.split(" "))) for line in lines + TOKENS[language]]
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


main()
