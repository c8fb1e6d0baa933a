import { parentPort, workerData } from "node:worker_threads";
import writeWorkbook from "write-excel-file/node";

/** The worker thread that creates a workbook: it receives rows of texts and returns the file. */
if (parentPort !== null) parentPort.postMessage(await workbookOf(workerData));

function workbookOf(rows: string[][]): Promise<Buffer> {
  return writeWorkbook(rows.map((cells) => cells.map((value) => ({ type: String, value })))).toBuffer();
}
