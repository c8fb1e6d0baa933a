// A program of its own: `node download-mongod.ts <version> <folder>` prints the path of the fetched mongod as its last line.
import { MongoBinary } from "mongodb-memory-server-core";

// The caller shows the last line.
process.on("uncaughtException", (err) => {
  console.error(err.message);
  process.exit(1);
});

const [version, downloadDir] = process.argv.slice(2);
if (!version || !downloadDir) throw new Error("usage: download-mongod.ts <version> <folder>");
console.log(await MongoBinary.getPath({ version, downloadDir, checkMD5: true }));
