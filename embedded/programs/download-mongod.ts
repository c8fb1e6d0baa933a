// A separate program: `node download-mongod.ts <version> <folder>` prints the path of the downloaded mongod as its last
// line.
import { readFile } from "node:fs/promises";
import { DryMongoBinary } from "mongodb-memory-server-core/lib/util/DryMongoBinary.js";
import { MongoBinaryDownload } from "mongodb-memory-server-core/lib/util/MongoBinaryDownload.js";
import { askForCertificates } from "../../config.ts";
import { sha256Of } from "./archive.ts";

// The caller shows the last line.
process.on("uncaughtException", (err) => {
  console.error(err.message);
  process.exit(1);
});

/**
 * Checks the SHA-256 that the vendor publishes next to the archive, instead of the MD5. The library chooses which of
 * forty archives fits.
 */
class CheckedDownload extends MongoBinaryDownload {
  override async makeMD5check(md5Url: string, archive: string): Promise<true> {
    const listed = await readFile(await this.download(md5Url.replace(/\.md5$/, ".sha256")), "utf8");
    const [wanted = ""] = listed.trim().split(/\s+/);
    const found = await sha256Of(archive);
    if (found !== wanted.toLowerCase())
      throw new Error(`The archive has the SHA-256 ${found}, but its vendor publishes ${wanted}`);
    return true;
  }
}

const [version, downloadDir] = process.argv.slice(2);
if (!version || !downloadDir) throw new Error("usage: download-mongod.ts <version> <folder>");
askForCertificates();
const options = await DryMongoBinary.generateOptions({ version, downloadDir });
console.log(await new CheckedDownload({ ...options, downloadDir }).getMongodPath());
