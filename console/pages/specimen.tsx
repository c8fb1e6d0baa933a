import { useState } from "react";
import { Refusal } from "../api/refusal.ts";
import { DayBars } from "../charts/day-bars.tsx";
import { Funnel, FunnelLine } from "../charts/funnel.tsx";
import { Intervals } from "../charts/intervals.tsx";
import { WeekHeat } from "../charts/week-heat.tsx";
import { Notice, RefusalAlert } from "../kit/alert.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { Copy } from "../kit/copy.tsx";
import { Drop, Field, type Option, SearchField, Select, TextArea } from "../kit/field.tsx";
import { Figures } from "../kit/figures.tsx";
import { Form } from "../kit/form.tsx";
import { PersonChip } from "../kit/given.tsx";
import { Looking, Skeleton } from "../kit/looking.tsx";
import { Menu } from "../kit/menu.tsx";
import { Confirm, Modal } from "../kit/modal.tsx";
import { Empty, Page, Parts, Steps } from "../kit/page.tsx";
import { type Act, Table } from "../kit/table.tsx";
import { To } from "../kit/to.tsx";
import { say } from "../kit/toast.tsx";
import { readPaged, useView } from "../kit/view.ts";
import { specimenWords as says } from "../words/en/specimen.ts";
import { formatShare } from "../words/format.ts";

const PAGE_SIZE = 5;
const TOTAL = 12;
const REFUSED = new Refusal(409, {
  code: "LIMIT_EXCEEDED",
  message: says.refused,
  traceId: "trace-1",
  details: { issues: [{ path: "name", message: says.nameRefused }] },
});

/** Shows every component of `kit/` with sample data. */
export function Specimen() {
  return (
    <Page
      title={says.title}
      subtitle={says.subtitle}
      actions={<Menu label={says.menu} items={says.items.map((name) => ({ name, run: () => say(name) }))} />}
    >
      <Notice>{says.notice}</Notice>
      <Notice kind="attention">{says.attention}</Notice>
      <RefusalAlert refusal={REFUSED} again={() => say(says.again)} />
      <Figures
        figures={[
          { name: says.people, count: 1_728 },
          { name: says.opened, count: null },
          { name: says.replied, count: 36, share: formatShare(0.02) },
          { name: says.counting, count: undefined },
          { name: says.steps[1], count: 41, change: says.change, parts: [2, 9, 4, 8, 12, 6] },
        ]}
      />
      <Small />
      <Waiting />
      <Dialogs />
      <Found />
      <Rows />
      <Charts />
      <p>
        <To page="/campaigns">{says.away}</To>
      </p>
    </Page>
  );
}

const STATES = ["good", "waits", "bad", "rests"] as const;
const PARTS = ["one", "two"] as const;
const WIZARD = ["first", "second", "third"] as const;

/** States, tabs, filter chips, a person, a text to copy, and a message that can be undone. */
function Small() {
  const [part, setPart] = useState<(typeof PARTS)[number]>("one");
  const [chip, setChip] = useState(0);
  return (
    <>
      <h2>{says.small}</h2>
      <p className="signs">
        {STATES.map((state) => (
          <span key={state} className={`mark ${state}`}>
            {says.states[state]}
          </span>
        ))}
      </p>
      <Parts
        label={says.parts}
        parts={PARTS}
        names={says.partNames}
        counts={{ two: 12 }}
        open={part}
        onOpen={setPart}
      />
      <fieldset className="chips">
        <legend className="hidden">{says.chips}</legend>
        {says.fruits.map((name, index) => (
          <button key={name} type="button" aria-pressed={chip === index} onClick={() => setChip(index)}>
            {name}
          </button>
        ))}
      </fieldset>
      <p>
        <PersonChip name={says.person} />
      </p>
      <Steps label={says.wizard} steps={WIZARD} names={says.wizardSteps} open="second" />
      <Drop
        label={says.file}
        text={says.drop}
        hint={says.fileHint}
        accept=".csv"
        onFiles={([file]) => say(file?.name ?? "")}
      />
      <Copy label={says.code} text={says.codeText} />
      <p>
        <button type="button" onClick={() => say(says.archived, { name: says.undo, run: () => say(says.undone) })}>
          {says.archive}
        </button>{" "}
        <button type="button" className="primary">
          {says.primary}
        </button>{" "}
        <button type="button" className="danger">
          {says.danger}
        </button>{" "}
        <button type="button" className="quiet">
          {says.quiet}
        </button>{" "}
        <button type="button" aria-disabled="true">
          {says.disabled}
        </button>
      </p>
    </>
  );
}

/** What a list shows before its first answer, and what it shows when it has no rows. */
function Waiting() {
  return (
    <>
      <h2>{says.waiting}</h2>
      <Looking isLooking={true} />
      <Skeleton rows={3} />
      <h2>{says.nothing}</h2>
      <div className="empty">
        <Empty text={says.empty}>
          <button type="button" className="primary">
            {says.add}
          </button>
        </Empty>
      </div>
    </>
  );
}

function Dialogs() {
  const [open, setOpen] = useState<"confirm" | "form" | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const close = () => {
    setOpen(null);
    setRefusal(null);
  };
  const save = (name: string) => {
    if (name === says.wrong) return setRefusal(REFUSED);
    close();
    say(says.saved(name));
  };
  return (
    <div className="buttons">
      <button type="button" onClick={() => setOpen("confirm")}>
        {says.confirm}
      </button>
      <button type="button" onClick={() => setOpen("form")}>
        {says.form}
      </button>
      {open === "confirm" && (
        <Confirm
          title={says.confirmTitle}
          effect={<p>{says.effect}</p>}
          act={says.confirm}
          isDangerous
          onAct={close}
          onClose={close}
        />
      )}
      {open === "form" && (
        <Modal title={says.form} onClose={close}>
          <Form
            act={says.save}
            isRunning={false}
            refusal={refusal}
            fields={["name"]}
            onCancel={close}
            onSubmit={(values) => save(values.text("name"))}
          >
            <Field label={says.name} hint={says.nameHint} name="name" required maxLength={100} refusal={refusal} />
            <TextArea label={says.text} name="text" rows={3} />
            <Select label={says.kind} name="kind" options={says.items.map((text) => ({ value: text, text }))} />
          </Form>
        </Modal>
      )}
    </div>
  );
}

/** A combobox, and a search field whose text is in the URL. */
function Found() {
  const [options, setOptions] = useState<readonly Option[]>([]);
  const [picked, setPicked] = useState("");
  const [{ search }, change] = useView(({ search = "" }) => ({ search }));
  return (
    <div className="filters">
      <Combobox
        label={says.fruit}
        options={options}
        onSearch={(words) =>
          setOptions(says.fruits.filter((one) => one.includes(words)).map((text) => ({ value: text, text })))
        }
        onPick={({ text }) => setPicked(text)}
      />
      <p>{says.picked(picked)}</p>
      <SearchField
        label={says.search}
        value={search}
        onSearch={(next) => change({ search: next }, { replaces: true })}
      />
    </div>
  );
}

interface Row {
  id: string;
  name: string;
}

function Rows() {
  const [{ page, open }, change] = useView((raw) => ({ ...readPaged(raw), open: raw["open"] ?? null }));
  const [gone, setGone] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const all = Array.from({ length: TOTAL }, (_, index) => ({ id: `row_${index + 1}`, name: says.row(index + 1) }));
  const left = all.filter(({ id }) => !gone.includes(id));
  const items = left.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const remove = async (rows: readonly Row[]) => {
    const isRefused = rows.some(({ id }) => id === "row_1");
    setRefusal(isRefused ? REFUSED : null);
    if (isRefused) return null;
    setGone([...gone, ...rows.map(({ id }) => id)]);
    return rows;
  };
  const actOf = (row: Row): Act<Row> => ({
    name: says.remove,
    act: says.removeAct(row.name),
    effect: <p>{says.removes(row.name)}</p>,
    isDangerous: true,
    refusal,
    run: (one) => remove([one]),
  });
  return (
    <Table
      label={says.rows}
      rows={{
        data: { items, total: left.length, page, pageSize: PAGE_SIZE },
        refusal: null,
        isLooking: false,
        at: 0,
        again: () => {},
      }}
      columns={[
        { head: says.name, cell: ({ name }) => name },
        {
          head: says.more,
          cell: ({ id }) => (
            <button
              type="button"
              aria-expanded={open === id}
              onClick={() => change({ open: open === id ? null : id, page })}
            >
              {says.show}
            </button>
          ),
        },
        { head: says.number, isNumber: true, cell: ({ id }) => id.slice(4) },
      ]}
      empty={<p>{says.empty}</p>}
      opened={{ id: open, show: ({ name }) => <p>{says.opens(name)}</p> }}
      onPage={(next) => change({ page: next })}
      acts={(row) => [actOf(row)]}
      several={{
        nameOf: ({ name }) => name,
        acts: () => [{ name: says.removeAll, effect: <p>{says.removesAll}</p>, refusal, run: remove }],
      }}
    />
  );
}

function Charts() {
  const steps = [40, 36, 5, 2].map((value, index) => ({ name: says.steps[index] ?? "", value }));
  return (
    <>
      <FunnelLine steps={steps} />
      <Funnel title={says.funnel} steps={steps} />
      <DayBars
        title={says.days}
        days={["2026-11-23", "2026-11-24", "2026-11-25"]}
        series={says.steps.map((name, index) => ({ name, values: [10 - index, 4, 2 * index] }))}
      />
      <Intervals
        title={says.texts}
        format={formatShare}
        intervals={[
          { name: "A", value: 0.05, low: 0.02, high: 0.09 },
          { name: "B", value: 0.12, low: 0.07, high: 0.2 },
        ]}
      />
      <WeekHeat
        title={says.week}
        counted={says.replies}
        week={Array.from({ length: 7 }, (_, day) =>
          Array.from({ length: 24 }, (_, hour) => (hour > 8 && hour < 18 ? (day * hour) % 7 : 0)),
        )}
      />
    </>
  );
}
