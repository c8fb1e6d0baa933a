import type mongoose from "mongoose";

const AT_A_TIME = 500;
const PLACE = "fold-words";
/** Words of leads and recipients; those of threads were folded from their first version on. */
const COLLECTIONS = ["leads", "recipients"];
/** What is of ASCII alone is folded already. */
const FOREIGN = /[^\x20-\x7e]/;

interface Found {
  _id: string;
  searchWords: string[];
}

/**
 * Folds the words by which leads and recipients are found, in the order of their ids. The place that was reached is kept beside the
 * migrations, so that a process that goes on does not begin anew.
 */
export async function foldWords(db: mongoose.mongo.Db, foldWord: (word: string) => string): Promise<void> {
  const places = db.collection<{ _id: string; collection: string; after: string }>("migrations");
  const place = await places.findOne({ _id: PLACE });
  for (const name of COLLECTIONS.slice(place === null ? 0 : COLLECTIONS.indexOf(place.collection))) {
    const rows = db.collection<Found>(name);
    for (let after = place?.collection === name ? place.after : ""; ; ) {
      const page = await rows
        .find({ _id: { $gt: after }, searchWords: FOREIGN }, { sort: { _id: 1 }, limit: AT_A_TIME, projection: { searchWords: 1 } })
        .toArray();
      const last = page.at(-1);
      if (last === undefined) break;
      // One that has changed meanwhile got its words with the change, unless a process of the version before wrote it
      const writes = page.map(({ _id, searchWords }) => ({
        updateOne: { filter: { _id, searchWords }, update: { $set: { searchWords: [...new Set(searchWords.map(foldWord))] } } },
      }));
      await rows.bulkWrite(writes, { ordered: false });
      after = last._id;
      await places.updateOne({ _id: PLACE }, { $set: { collection: name, after } }, { upsert: true });
    }
  }
  await places.deleteOne({ _id: PLACE });
}
