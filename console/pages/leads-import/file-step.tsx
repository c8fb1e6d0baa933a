import { useState } from "react";
import { MAX_FILE_BYTES } from "../../../domain/csv/file-limits.ts";
import type { Upload } from "../../api/upload.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Drop } from "../../kit/field.tsx";
import { StepHeading } from "../../kit/page.tsx";
import { importWords as says } from "../../words/en/leads/import.ts";
import type { FileColumns } from "./reads.ts";

interface FileStepProps {
  upload: Upload<"post /leads/import/columns">;
  isFirst: boolean;
  onRead: (file: File, read: FileColumns) => void;
}

/** Chooses the file. Its columns are read by the server, so the page never holds its rows. */
export function FileStep({ upload, isFirst, onRead }: FileStepProps) {
  const [fault, setFault] = useState<string | null>(null);
  const choose = async (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined || upload.isRunning) return;
    const wrong = files.length > 1 ? says.several : file.size > MAX_FILE_BYTES ? says.tooLarge : null;
    setFault(wrong);
    if (wrong !== null) return;
    const read = await upload.run(file);
    if (read !== null) onRead(file, read);
  };
  const isTooLarge = upload.refusal?.code === "PAYLOAD_TOO_LARGE";
  const text = fault ?? (isTooLarge ? says.tooLarge : null);
  return (
    <section className="wizard">
      <StepHeading isFirst={isFirst}>{says.fileTitle}</StepHeading>
      {text !== null && (
        <div className="alert bad" role="alert">
          <p>{text}</p>
        </div>
      )}
      {text === null && upload.refusal !== null && <RefusalAlert refusal={upload.refusal} />}
      {upload.isRunning ? (
        <Uploading upload={upload} onStop={upload.stop} />
      ) : (
        <Drop
          label={says.fileLabel}
          text={says.drop}
          hint={says.fileHint}
          accept=".csv,.tsv,.txt,.xlsx,.xlsm"
          onFiles={(files) => void choose(files)}
        />
      )}
    </section>
  );
}

interface UploadingProps {
  upload: Pick<Upload<never>, "sent">;
  /** Stops an upload that leaves nothing behind. */
  onStop?: () => void;
}

/** How much of the file is sent. */
export function Uploading({ upload: { sent }, onStop }: UploadingProps) {
  // Announced in steps, not at each per cent
  const announced = sent < 1 ? says.uploading(Math.floor(sent * 4) / 4) : says.reading;
  return (
    <div className="uploading">
      <progress value={sent} max={1} aria-label={says.progress} />
      <p aria-hidden="true">{sent < 1 ? says.uploading(Number(sent.toFixed(2))) : says.reading}</p>
      <p className="hidden" role="status">
        {announced}
      </p>
      {onStop !== undefined && (
        <button type="button" onClick={onStop}>
          {says.stopUpload}
        </button>
      )}
    </div>
  );
}
