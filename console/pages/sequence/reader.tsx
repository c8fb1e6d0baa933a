import { useCallback, useState } from "react";
import { useCall } from "../../api/query.ts";
import { Combobox } from "../../kit/combobox.tsx";
import { Given } from "../../kit/given.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { previewWords as says } from "../../words/en/sequence-editor.ts";

/** A lead for whom the preview is rendered. */
export interface Reader {
  leadId: string;
  email: string;
}

const OFFERED = 10;
const STEPPED = 50;

/** The lead of the preview: the first recipient of the campaign until a person picks another one, else an example. */
export function useReader(campaignId: string): [Reader | null, (reader: Reader | null) => void] {
  const [picked, setPicked] = useState<Reader | null | undefined>(undefined);
  const { data } = useRecipients(campaignId);
  const [first] = data?.items ?? [];
  const usual = first === undefined ? null : { leadId: first.leadId, email: first.email };
  return [picked === undefined ? usual : picked, setPicked];
}

function useRecipients(campaignId: string) {
  return useCall("get /campaigns/:campaignId/recipients", { campaignId, pageSize: STEPPED });
}

interface ReaderPickerProps {
  campaignId: string;
  reader: Reader | null;
  onPick: (reader: Reader | null) => void;
}

export function ReaderPicker({ campaignId, reader, onPick }: ReaderPickerProps) {
  const [search, setSearch] = useState("");
  const found = useCall("get /leads", { search, pageSize: OFFERED }, { isOff: search === "" });
  const recipients = useRecipients(campaignId).data?.items ?? [];
  const at = recipients.findIndex(({ leadId }) => leadId === reader?.leadId);
  const step = (by: number) => {
    const next = recipients[at + by];
    if (next !== undefined) onPick({ leadId: next.leadId, email: next.email });
  };
  const options = search === "" ? [] : (found.data?.items.map(({ id, email }) => ({ value: id, text: email })) ?? null);
  const begin = useCallback((words: string) => setSearch(words.trim().slice(0, 100)), []);
  return (
    <div className="reader">
      <p>
        <Given>{says.lead(reader?.email ?? says.example)}</Given>
      </p>
      <span className="buttons">
        <button
          type="button"
          className="square"
          aria-label={says.previous}
          aria-disabled={at <= 0}
          onClick={() => step(-1)}
        >
          ‹
        </button>
        <button
          type="button"
          className="square"
          aria-label={says.next}
          aria-disabled={at >= recipients.length - 1}
          onClick={() => step(1)}
        >
          ›
        </button>
        {reader !== null && (
          <button
            type="button"
            className="quiet"
            onClick={({ currentTarget }) => keepFocus(currentTarget, ".reader", () => onPick(null))}
          >
            {says.useExample}
          </button>
        )}
      </span>
      <Combobox
        label={says.search}
        options={options}
        onSearch={begin}
        onPick={({ value, text }) => onPick({ leadId: value, email: text })}
      />
    </div>
  );
}
