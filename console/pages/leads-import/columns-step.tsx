import { useEffect, useId, useRef, useState } from "react";
import { useCall } from "../../api/query.ts";
import type { Upload } from "../../api/upload.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { StepHeading } from "../../kit/page.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { fieldWords } from "../../words/en/leads/fields.ts";
import { LEAD_FIELD, importWords as says } from "../../words/en/leads/import.ts";
import { NewField } from "../fields/new-field.tsx";
import { customField, type Fault, faultsOf, fieldName } from "./fields.ts";
import { Uploading } from "./file-step.tsx";
import type { ColumnMapping, FileColumn, FileColumns } from "./reads.ts";
import { typeOf } from "./suggest-type.ts";

interface ColumnsStepProps {
  read: FileColumns;
  mapping: ColumnMapping;
  onMap: (mapping: ColumnMapping) => void;
  /** The upload that checks the rows. */
  upload: Upload<"post /leads/import/file">;
  onCheck: () => void;
  onOtherFile: () => void;
}

interface Custom {
  key: string;
  label: string;
}

const NEW = "new";
const NO_FAULTS: ReadonlyMap<string, Fault> = new Map();

/** Decides which field each column fills. */
export function ColumnsStep({ read, mapping, onMap, upload, onCheck, onOtherFile }: ColumnsStepProps) {
  const may = useMay();
  const fields = useCall("get /custom-fields", {}, { isOff: !may("custom_fields:read") });
  const [faults, setFaults] = useState(NO_FAULTS);
  const [asked, setAsked] = useState<FileColumn | null>(null);
  const table = useRef<HTMLDivElement>(null);
  const custom = fields.data ?? [];
  const nameOf = (field: string) => fieldName(field, custom);
  const pick = (column: string, field: string) => {
    setFaults(NO_FAULTS);
    onMap(new Map(mapping).set(column, field));
  };
  useEffect(() => {
    if (faults.size > 0) table.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const check = () => {
    const found = faultsOf(read.columns, mapping);
    setFaults(found);
    if (found.size === 0) onCheck();
  };
  const left = read.columns.filter(({ name }) => (mapping.get(name) ?? "") === "").length;
  return (
    <section className="wizard">
      <StepHeading>{says.columnsTitle}</StepHeading>
      <p>
        <Given>{says.columnsLead(read.fileName, read.rows)}</Given>
      </p>
      {upload.refusal !== null && <RefusalAlert refusal={upload.refusal} />}
      {fields.refusal !== null && <RefusalAlert refusal={fields.refusal} again={fields.again} />}
      <div ref={table}>
        <Scrolling label={says.columnsTitle}>
          <table className="cards">
            <thead>
              <tr>
                <th scope="col">{says.column}</th>
                <th scope="col">{says.samples}</th>
                <th scope="col">{says.field}</th>
              </tr>
            </thead>
            <tbody>
              {read.columns.map((column) => (
                <tr key={column.name}>
                  <th scope="row">
                    <Given isShort>{column.name}</Given>
                  </th>
                  <td data-head={says.samples}>
                    <Samples cells={column.samples} />
                  </td>
                  <td data-head={says.field}>
                    <FieldPicker
                      column={column.name}
                      value={mapping.get(column.name) ?? ""}
                      custom={custom}
                      mayCreate={may("custom_fields:write")}
                      fault={wordsFor(faults.get(column.name), nameOf(mapping.get(column.name) ?? ""))}
                      onPick={(field) => (field === NEW ? setAsked(column) : pick(column.name, field))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      </div>
      <p className="fine" role="status">
        {says.left(left)}
      </p>
      {upload.isRunning ? (
        <Uploading upload={upload} onStop={upload.stop} />
      ) : (
        <div className="buttons">
          <button type="button" onClick={onOtherFile}>
            {says.otherFile}
          </button>
          <button type="button" className="primary" onClick={check}>
            {says.check}
          </button>
        </div>
      )}
      {asked !== null && (
        <NewField
          title={fieldWords.titleFor(asked.name)}
          label={asked.name}
          type={typeOf(asked.samples)}
          typeHint={fieldWords.importTypeHint}
          onCreated={(key) => {
            pick(asked.name, customField(key));
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

function wordsFor(fault: Fault | undefined, field: string): string | null {
  if (fault === undefined) return null;
  return fault === "NO_EMAIL" ? says.needsEmail : says.twice(field, fault.twiceWith);
}

function Samples({ cells }: { cells: readonly string[] }) {
  if (cells.length === 0) return <span className="fine">{says.noSamples}</span>;
  return <Given isShort>{cells.join(" · ")}</Given>;
}

interface FieldPickerProps {
  column: string;
  value: string;
  custom: readonly Custom[];
  mayCreate: boolean;
  fault: string | null;
  onPick: (field: string) => void;
}

function FieldPicker({ column, value, custom, mayCreate, fault, onPick }: FieldPickerProps) {
  const id = useId();
  const own = custom.map(({ key, label }) => ({ field: customField(key), label }));
  const isKnown = value === "" || value in LEAD_FIELD || own.some(({ field }) => field === value);
  return (
    <>
      <select
        aria-label={says.fieldOf(column)}
        value={value}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={fault === null ? undefined : id}
        onChange={(event) => onPick(event.currentTarget.value)}
      >
        <option value="">{says.leaveOut}</option>
        {mayCreate && <option value={NEW}>{says.newField}</option>}
        <optgroup label={says.fieldsOfLead}>
          {Object.entries(LEAD_FIELD).map(([field, name]) => (
            <option key={field} value={field}>
              {name}
            </option>
          ))}
        </optgroup>
        {(own.length > 0 || !isKnown) && (
          <optgroup label={says.customFields}>
            {!isKnown && <option value={value}>{fieldName(value, custom)}</option>}
            {own.map(({ field, label }) => (
              <option key={field} value={field}>
                {label}
              </option>
            ))}
          </optgroup>
        )}
      </select>
      {fault !== null && (
        <small id={id} className="wrong">
          {fault}
        </small>
      )}
    </>
  );
}
