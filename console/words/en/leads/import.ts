import { MAX_FILE_MEGABYTES, MAX_FILE_ROWS, MAX_WORKBOOK_MEGABYTES } from "../../../../domain/csv/file-limits.ts";
import type { CellWarning } from "../../../../domain/leads/import-row.ts";
import type { LeadText } from "../../../../domain/leads/lead.ts";
import { counted, formatCount, formatShare } from "../../format.ts";
import { leadWords } from "./lead.ts";

const rows = (count: number) => counted(count, "row", "rows");
const leads = (count: number) => counted(count, "lead", "leads");

/** The fields of a lead that a column of a file can fill. */
export const LEAD_FIELD: Record<LeadText | "email" | "tags", string> = {
  email: "Email address",
  firstName: "First name",
  lastName: "Last name",
  ...leadWords.fields,
  fullName: "Full name",
  tags: leadWords.tags,
};

/** Why a cell was left out, or why an imported address should be checked. */
export const CELL_WARNING: Record<CellWarning["code"], string> = {
  TYPE_MISMATCH: "The cell does not fit the type of its field and is left out.",
  AMBIGUOUS_DATE: "Day and month of the date cannot be told apart, so it is left out.",
  INVALID_TYPE: "The cell does not contain text and is left out.",
  TOO_BIG: "The text is too long for its field and is left out.",
  FORMULA: "The cell contains a formula and is left out. Save its value instead.",
  DIGITS_LOST: "The spreadsheet dropped digits of this number, so it is left out. Format the column as text.",
  UNKNOWN_TIMEZONE: "The time zone is unknown and is left out.",
  ROLE_ADDRESS: "This address belongs to a role, not to a person.",
  SEVERAL_ADDRESSES: "The cell has several addresses. The first is imported.",
  ADDRESS_TYPO: "The address looks mistyped.",
  ESCAPED_QUOTES: 'The file writes quotes as \\", and they are read as quotes.',
};

export const importWords = {
  open: "Import leads",
  title: "Import leads",
  subtitle: "Bring in people from a CSV or Excel file. Nothing is saved until you confirm.",
  steps: "Steps of the import",
  step: { file: "File", columns: "Columns", check: "Check", done: "Import" },

  fileTitle: "Choose a file",
  fileLabel: "CSV or Excel file (.xlsx)",
  fileHint: `The first row names the columns. CSV up to ${MAX_FILE_MEGABYTES} MB, Excel up to ${MAX_WORKBOOK_MEGABYTES} MB, up to ${formatCount(MAX_FILE_ROWS)} rows.`,
  drop: "Drop a file here, or choose one.",
  several: "Choose one file. To import several files, start again for each one.",
  uploading: (share: number) => `Uploading: ${formatShare(share)}`,
  reading: "The file is being read…",
  progress: "Progress of the upload",
  stopUpload: "Stop upload",
  tooLarge: `This file is too large. CSV files can be up to ${MAX_FILE_MEGABYTES} MB, Excel files up to ${MAX_WORKBOOK_MEGABYTES} MB: save a large table as CSV, or split it.`,
  unsaved: "The import has not started yet. If you leave, choose the file and its columns again.",

  columnsTitle: "Match the columns",
  columnsLead: (file: string, count: number) =>
    `${file} has ${rows(count)}. Check which field each column fills. You can change any of them.`,
  column: "Column",
  samples: "First cells",
  noSamples: "No cells in the first rows",
  field: "Field",
  fieldOf: (column: string) => `Field for ${column}`,
  leaveOut: "Leave out",
  fieldsOfLead: "Fields",
  customFields: "Custom fields",
  custom: (key: string) => `Custom field ${key}`,
  newField: "New field…",
  needsEmail: "Choose the column with the email addresses. Without an address, a row cannot become a lead.",
  twice: (field: string, column: string) =>
    `“${column}” already fills ${field}. Leave one of the two columns out, or choose another field.`,
  left: (count: number) =>
    count === 0 ? "Every column is imported." : `${counted(count, "column is", "columns are")} left out.`,
  check: "Check the rows",
  otherFile: "Choose another file",

  checkTitle: "Check before importing",
  checking: "The rows are being checked. Nothing is saved.",
  checked: (done: number, total: number) => `${formatCount(done)} of ${rows(total)} checked.`,
  checkProgress: "Progress of the check",
  cancelCheck: "Cancel check",
  checkEndTitle: {
    COMPLETED: "Check completed",
    COMPLETED_WITH_ERRORS: "Check completed, some rows would be refused",
    FAILED: "The check failed",
    CANCELLED: "The check was cancelled",
  } as Readonly<Record<string, string>>,
  checkOnly: "This job only checked the rows. Nothing was imported.",
  counts: {
    created: "New leads",
    updated: "Changed leads",
    unchanged: "Unchanged leads",
    duplicateInFile: "Repeated in the file",
    blocked: "On the block list",
    suppressed: "Do not contact",
    invalid: "Refused rows",
  },
  stays: "Cells overwrite the same field of a lead that you already have. Empty cells never erase anything.",
  suppressedNote: (count: number) =>
    count === 1
      ? "1 address is suppressed. It is imported, and no campaign emails it."
      : `${formatCount(count)} addresses are suppressed. They are imported, and no campaign emails them.`,
  backToColumns: "Change the columns",

  rowsLead: "Row 1 is the first row below the names of the columns.",
  refusedTitle: (count: number) => `Refused: ${rows(count)}`,
  refusedLead: "These rows are not imported.",
  warningTitle: (count: number) => counted(count, "warning", "warnings"),
  warningLead: "These rows are imported. Check them, because a cell is left out or an address looks wrong.",
  markedTitle: (count: number) => `Repeated, blocked or suppressed: ${rows(count)}`,
  markedLead: "Among the first 1,000 rows of the file.",
  noProblems: "No problems found.",
  row: "Row",
  address: "Address",
  cell: "Cell",
  why: "Reason",
  didYouMean: (meant: string) => `Did you mean ${meant}?`,
  firstShown: (shown: number, all: number) => `The first ${formatCount(shown)} of ${formatCount(all)} are shown here.`,
  firstListed: (listed: number) => `The file lists the first ${formatCount(listed)}.`,
  download: "Download refused rows as CSV",
  downloadName: (file: string) => `refused-rows-of-${file.replace(/\.[^.]*$/, "")}.csv`,
  refused: {
    REQUIRED: "The row has no email address.",
    INVALID_FORMAT: "This is not a valid email address.",
    INVALID_TYPE: "The cell of the address does not contain text.",
    TOO_MANY_CELLS: "The row has more cells than there are columns. A cell with a comma or semicolon needs quotes.",
    TOO_BIG: "The lead would have too many tags or custom fields.",
  } as Readonly<Record<string, string>>,
  marks: {
    DUPLICATE_IN_FILE: "An earlier row has the same address. Only the first is imported.",
    BLOCK_LISTED: "On the block list, so it is not imported.",
    SUPPRESSED: "Suppressed: the lead is imported, and no campaign emails it.",
  } as Readonly<Record<string, string>>,

  list: "Add the leads to",
  listHint: "A campaign can add all leads of a list as recipients.",
  noList: "No list",
  newList: "A new list",
  listOf: (name: string, members: number) => `${name} (${leads(members)})`,
  listName: "Name of the new list",
  act: (count: number) => (count === 0 ? "Import" : `Import ${rows(count)}`),
  nothingToDo: "Nothing in this file would be imported. Change the columns or choose another file.",

  started: (file: string) => `The import of ${file} has started.`,
  openStarted: "Open import",
  notStarted: (file: string) => `The import of ${file} may not have started. Open Jobs to check.`,
  importing: "Importing",
  imported: (done: number, total: number) => `${formatCount(done)} of ${rows(total)} imported.`,
  importProgress: "Progress of the import",
  canLeave: "The import continues when you leave this page. You find it again under Jobs.",
  cancel: "Cancel import",
  cancelTitle: "Cancel this import?",
  cancelEffect: (done: number, total: number) =>
    `${formatCount(done)} of ${rows(total)} are imported and stay. The rest is not imported.`,
  saidCancelled: "The import is cancelled.",
  endTitle: {
    COMPLETED: "Import completed",
    COMPLETED_WITH_ERRORS: "Import completed, some rows were refused",
    FAILED: "The import failed",
    CANCELLED: "The import was cancelled",
  } as Readonly<Record<string, string>>,
  result: (created: number, updated: number) => `${leads(created)} created, ${formatCount(updated)} changed.`,
  toList: (count: number) => `${leads(count)} added to the list.`,
  seeLeads: "Show leads",
  seeList: "Show the leads of the list",
  toCampaign: "Back to the campaign",
  campaignHint: "Choose “From a list” there to add the imported leads as recipients.",
  again: "Import another file",

  undo: "Undo import…",
  undoTitle: "Undo this import?",
  undoAct: "Undo import",
  undoEffect: (created: number) =>
    `The ${leads(created)} that this import created ${created === 1 ? "is" : "are"} deleted, except those that someone has touched since.`,
  undoKeeps:
    "Leads that were edited, contacted, suppressed, put into another list or a campaign, or that have a note, a deal or a conversation stay exactly as they are. Leads that you had before stay too, with the new values.",
  undoProgress: "Progress of the undo",
  undoing: (done: number, total: number) => `Undoing: ${formatCount(done)} of ${leads(total)}.`,
  undone: (removed: number, kept: number) =>
    kept === 0
      ? `Undone: ${leads(removed)} deleted.`
      : `Undone: ${leads(removed)} deleted. ${counted(kept, "lead stays, because someone has touched it since", "leads stay, because someone has touched them since")}.`,
  notUndone: "The import was not undone completely. Open Jobs to see why.",
  lost: "This import is no longer available. Jobs are kept for 30 days.",
} as const;
