import { useCallback, useState } from "react";
import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { SearchField, Select } from "../../kit/field.tsx";
import { categoryWord } from "../../words/en/categories.ts";
import { inboxWords as says } from "../../words/en/inbox.ts";
import { words } from "../../words/en.ts";
import { VIEWS, type View } from "./reads.ts";

type Summary = Out<"get /inbox/summary">;
const EVERY_MS = 15_000;
/** The select box lists at most this many campaigns; the URL can filter by any other. */
const MOST_CAMPAIGNS = 200;

interface FiltersProps {
  view: View;
  change: (change: Partial<Record<keyof View, string | null>>, how?: { replaces?: boolean }) => void;
}

/** The numbers of conversations in the inbox; each number is a filter. */
export function Filters({ view, change }: FiltersProps) {
  const { data, refusal, again } = useCall("get /inbox/summary", {}, { every: EVERY_MS });
  const look = useCallback((words: string) => change({ search: words, open: null }, { replaces: true }), [change]);
  const { category, search } = view;
  const found = data?.categories ?? [];
  const categories =
    category === null || found.some((one) => one.category === category) ? found : [{ category, count: 0 }, ...found];
  return (
    <>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <fieldset className="chips">
        <legend className="hidden">{says.views}</legend>
        {VIEWS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={view.view === one}
            onClick={() => change({ view: one === "all" ? null : one, open: null })}
          >
            {data === undefined ? says.view[one] : says.withCount(says.view[one], countOf(data, one))}
          </button>
        ))}
      </fieldset>
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        <Select
          label={says.category}
          name="category"
          value={category ?? ""}
          options={[
            { value: "", text: says.anyCategory },
            ...categories.map(({ category, count }) => ({
              value: category,
              text: says.withCount(categoryWord(category), count),
            })),
          ]}
          onPick={(value) => change({ category: value, open: null })}
        />
        <More view={view} change={change} />
      </div>
    </>
  );
}

/** More filters. Their options are loaded only when a person opens them, because they are seldom used. */
function More({ view: { mailbox, campaign }, change }: FiltersProps) {
  const [isOpen, setOpen] = useState(mailbox !== null || campaign !== null);
  const may = useMay();
  const mailboxes = useCall("get /mailboxes", {}, { isOff: !isOpen || !may("mailboxes:read") });
  const campaigns = useCall(
    "get /campaigns",
    { pageSize: MOST_CAMPAIGNS },
    { isOff: !isOpen || !may("campaigns:read") },
  );
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {says.moreFilters}
      </button>
    );
  }
  const boxes = (mailboxes.data ?? []).map(({ id, email }) => ({ value: id, text: email }));
  const names = (campaigns.data?.items ?? []).map(({ id, name }) => ({ value: id, text: name }));
  return (
    <>
      <Select
        label={says.mailbox}
        name="mailbox"
        value={mailbox ?? ""}
        options={[{ value: "", text: words.all }, ...withChosen(boxes, mailbox)]}
        onPick={(value) => change({ mailbox: value, open: null })}
      />
      <Select
        label={says.campaign}
        name="campaign"
        value={campaign ?? ""}
        options={[{ value: "", text: words.all }, ...withChosen(names, campaign)]}
        onPick={(value) => change({ campaign: value, open: null })}
      />
    </>
  );
}

function withChosen(options: readonly { value: string; text: string }[], chosen: string | null) {
  return chosen === null || options.some(({ value }) => value === chosen)
    ? options
    : [{ value: chosen, text: chosen }, ...options];
}

function countOf({ total, unread, starred, archived }: Summary, view: (typeof VIEWS)[number]): number {
  return { all: total, unread, starred, archived }[view];
}
