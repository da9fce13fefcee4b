"""Texts of the kind that encoders read here, from which ranges are taken (`quantising`)."""

_TEXTS = """
The library was founded in 1765 by a society of merchants who paid two pounds a year each and met
in a room above the corn exchange. Its first catalogue, printed in 1771, lists 812 volumes, most
of them sermons, travels and histories, and a globe that could not be borrowed. Members were fined
sixpence for a book kept longer than a fortnight, and the money bought maps.

We propose a method for clustering short documents that needs no labels. An encoder and a
projection head are trained together: two augmented views of a text are drawn near each other,
while texts of different pseudo-labels are pushed apart. On six public collections accuracy rises
by 3.4 points over the best earlier model, and an ablation shows that each part helps.

Patients over 65 with atrial fibrillation were assigned at random to apixaban (5 mg twice daily)
or to warfarin. After a median of 22 months, stroke or systemic embolism had occurred in 1.3% and
1.6% a year (hazard ratio 0.79; 95% confidence interval, 0.66 to 0.95). Major bleeding was less
frequent in the first group, and mortality from any cause was lower.

Worker ants leave the nest at dawn and follow trails that others have marked. Where a trail
divides, more of them take the branch with the stronger scent, so that the shorter way to the food
wins within minutes. The queen, who may live for fifteen years, does nothing but lay eggs; the
brood is carried between chambers as warmth and moisture change.

Between 1760 and 1840 the making of cloth moved from cottages into mills. Water drove the first
frames and steam the later ones; canals, and then railways, brought coal and carried bales. Towns
grew faster than their drains. Parliament limited the hours of children in 1833, but inspectors
were four for the whole kingdom, and owners paid the fines as a cost of business.

Let G be a finite group and p a prime that divides its order. Then G has a subgroup whose order is
the largest power of p that divides |G|; all such subgroups are conjugate, and their number is
congruent to 1 modulo p. The proof lets G act on subsets of that size by multiplication and counts
the orbits whose length is not divisible by p.

How do I read a large CSV file in pandas without running out of memory? I have 24 GB of RAM and a
file of 60 GB. read_csv() with chunksize=100000 works, but groupby() on the chunks gives the wrong
result for keys that occur in two of them. Is there a way to merge the partial sums, or should I
use Spark, Dask or SQLite instead?

Die Stadt liegt an der Donau und hatte 2019 rund 153.000 Einwohner. Im Mittelalter war sie ein
Zentrum des Fernhandels; der Dom gilt als Hauptwerk der Gotik in Süddeutschland. La ville fut
prise par Napoléon en 1809. El puente de piedra, de dieciséis arcos, data del siglo XII.

Police said a 34-year-old man was arrested on Tuesday after a fire at a warehouse near the port of
Rotterdam. Nobody was hurt. Shares in the operator fell 4.2 percent in early trading in Amsterdam;
analysts at two banks lowered their forecasts. The prime minister, who was on a visit to Jakarta,
thanked the 120 firefighters who had worked through the night.

In the first movement the second subject appears in the dominant, as expected, but the
recapitulation avoids the tonic until the coda. Critics of the time heard this as a mistake. The
slow movement, a set of five variations for strings and solo oboe, was encored at the premiere in
Vienna; the finale, a rondo, borrows its tune from a Bohemian dance.

Photosynthesis converts light into chemical energy. In the thylakoid membranes chlorophyll absorbs
photons, water is split, and oxygen is released; the ATP and NADPH that are formed drive the
Calvin cycle, in which carbon dioxide is fixed into sugars. C4 plants such as maize concentrate
CO2 around the enzyme and lose less water in hot, dry climates.

Interlibrary loan requests in public libraries, 2008-2020 : a survey of 412 institutions.
Subjects: Document delivery; Resource sharing; Consortia; Open access publishing. Includes
bibliographical references (pages 201-219) and index. ISBN 978-0-00-000000-2 (paperback). Also
available as an e-book: licensed for one reader at a time.

Under the new statute a court must decide within a day whether an arrest was lawful, and the
person held is told the reasons in a language that he or she understands. Judges are bound by the
law alone. No one may be put at a disadvantage because of origin, faith or political opinion;
complaints go to the regional court, whose ruling is final.

king

how to train a puppy not to bite

Effects of sleep deprivation on memory consolidation in adolescents
"""

CALIBRATION = tuple(" ".join(text.split()) for text in _TEXTS.split("\n\n"))
