import { useEffect, useRef, useState } from "react";
import { addressOf, type Out, type WriteEndpoint } from "./call.ts";
import { newKey } from "./key.ts";
import { useWorkspaceId } from "./path-id.ts";
import { prefix } from "./prefix.ts";
import { type ErrorBody, Refusal, refusalIn, refusalOf, unreachable } from "./refusal.ts";
import { noteSessionEnded } from "./session.ts";

/** The endpoints that take a file. */
type FileEndpoint = Extract<WriteEndpoint, "post /leads/import/columns" | "post /leads/import/file">;

/** The answer. The field `action` of these endpoints names no action of the operation, so the input is left out. */
type Answer<E extends FileEndpoint> = Out<E, object>;

export interface Upload<E extends FileEndpoint> {
  /** Resolves with the answer, or with null if the upload was refused or stopped; `refusal` then says why. */
  run(file: File, fields?: Readonly<Record<string, string>>): Promise<Answer<E> | null>;
  /** Stops an upload whose outcome does not matter. */
  stop(): void;
  isRunning: boolean;
  /** The share of the file that was sent, from 0 to 1. */
  sent: number;
  refusal: Refusal | null;
  /** Clears the refusal, for example after another file was chosen. */
  clear(): void;
}

/**
 * Returns a function that sends a file with fields to an endpoint. A second call while one is running joins it. If the
 * outcome is unknown, a retry with the same file and fields uses the same idempotency key. An upload stops when its part
 * of the page is left, unless it `continues`.
 */
export function useUpload<E extends FileEndpoint>(endpoint: E, { continues = false } = {}): Upload<E> {
  const workspaceId = useWorkspaceId();
  const [isRunning, setRunning] = useState(false);
  const [sent, setSent] = useState(0);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const open = useRef<{ file: File; fields: string; key: string } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    if (continues) return;
    return () => running.current?.abort();
  }, [continues]);

  async function run(file: File, fields: Readonly<Record<string, string>> = {}): Promise<Answer<E> | null> {
    if (running.current !== null) return null;
    const text = JSON.stringify(fields);
    if (open.current?.file !== file || open.current.fields !== text)
      open.current = { file, fields: text, key: newKey() };
    const { key } = open.current;
    // A stored answer would keep the cells that it shows
    const isWrite = endpoint !== "post /leads/import/columns";
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setSent(0);
    setRefusal(null);
    try {
      const answer = await send(endpoint, formOf(file, fields), {
        headers: { "X-Console": "1", "X-Workspace": workspaceId, ...(isWrite && { "Idempotency-Key": key }) },
        signal: controller.signal,
        onSent: setSent,
      });
      open.current = null;
      return answer as Answer<E>; // what this endpoint answers
    } catch (err) {
      const refused = (await isReadable(file)) ? refusalOf(err) : new Refusal(0, CHANGED);
      if (!refused.mayPass) open.current = null;
      if (refused.status === 401) noteSessionEnded();
      if (!controller.signal.aborted) setRefusal(refused);
      return null;
    } finally {
      running.current = null;
      setRunning(false);
    }
  }

  return { run, stop: () => running.current?.abort(), isRunning, sent, refusal, clear: () => setRefusal(null) };
}

const CHANGED: ErrorBody = { code: "FILE_CHANGED", message: "The file changed" };

/** Whether the browser can still read the file: it may have been changed, moved or deleted since it was chosen. */
async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** The fields come before the file, because the server reads the parts in their order. */
function formOf(file: File, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file, file.name);
  return form;
}

interface Sending {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  onSent: (share: number) => void;
}

/** Sends a form. `fetch` does not report how much of a body was sent. @throws Refusal */
function send(endpoint: FileEndpoint, form: FormData, { headers, signal, onSent }: Sending): Promise<unknown> {
  const { method, path } = addressOf(endpoint, {});
  const request = new XMLHttpRequest();
  request.open(method, `${prefix}/console/api/v1${path}`);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const { status } = request;
      const body = bodyOf(request.responseText);
      if (status >= 200 && status < 300 && body !== null) return resolve(body);
      reject(refusalIn(status, body, request.getResponseHeader("Retry-After")));
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new Refusal(0, { code: "CONSOLE_ERROR", message: "The upload was stopped" }));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
