import { parentPort, workerData } from "node:worker_threads";
import writeWorkbook from "write-excel-file/node";

const rows: string[][] = workerData;
const sheet = rows.map((cells) => cells.map((value) => ({ type: String, value })));
parentPort?.postMessage(await writeWorkbook(sheet).toBuffer());
