import { useState } from "react";
import { CADENCES } from "../../../domain/verification/results.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Given } from "../../kit/given.tsx";
import { Modal } from "../../kit/modal.tsx";
import { Empty } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, PAGE_SIZE, useSort } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { CADENCE, verificationWords as says } from "../../words/en/leads/verification.ts";
import { nouns } from "../../words/en/nouns.ts";
import { SCHEDULES, type Schedule, useLists } from "./reads.ts";

const SET = "put /verification/schedules";
const EVERY_MS = 30_000;

/** The schedules that verify lists again and again. A list has at most one. */
export function Schedules({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const mayWrite = useMay()("leads:write");
  const order = useSort({ served: ["createdAt"] });
  const schedules = useCall(
    "get /verification/schedules",
    { page, pageSize: PAGE_SIZE, sort: order.asked },
    { every: EVERY_MS },
  );
  const { nameOf } = useLists();
  const [editing, setEditing] = useState<Schedule | "new" | null>(null);
  const set = useWrite(SET, { renews: SCHEDULES });
  const remove = useWrite("delete /verification/schedules/:scheduleId", { renews: SCHEDULES });
  const change = async ({ listId, cadence }: Schedule, enabled: boolean) => {
    const answer = await set.run({ listId, cadence, enabled });
    if (answer !== null) say(says.saidSchedule);
    return answer;
  };
  const drop = async ({ id: scheduleId, listId, cadence, enabled }: Schedule) => {
    const answer = await remove.run({ scheduleId });
    if (answer === null) return null;
    const restore = async () => {
      if ((await set.run({ listId, cadence, enabled })) !== null) say(says.saidRestored);
    };
    say(says.saidRemoved, { name: says.undo, run: () => void restore() });
    return answer;
  };
  const acts = ({ enabled }: Schedule): Act<Schedule>[] => [
    { name: says.change, run: async (row) => setEditing(row) },
    { name: enabled ? says.pause : says.resume, run: (row) => change(row, !enabled) },
    { name: says.removeSchedule, run: drop },
  ];
  const add = mayWrite && (
    <button type="button" onClick={() => setEditing("new")}>
      {says.addSchedule}
    </button>
  );
  const columns: Column<Schedule>[] = [
    {
      head: says.list,
      cell: ({ listId }) => (
        <To page="/leads" view={{ list: listId }}>
          <Given isShort>{nameOf(listId)}</Given>
        </To>
      ),
    },
    { head: says.cadence, cell: ({ cadence }) => CADENCE[cadence] },
    { head: says.enabled, cell: ({ enabled }) => (enabled ? says.runs : says.paused) },
    { head: says.lastRun, cell: ({ lastRunAt }) => (lastRunAt === null ? says.never : <When at={lastRunAt} />) },
    { head: says.nextRun, cell: ({ nextRunAt }) => (nextRunAt === null ? says.never : <When at={nextRunAt} />) },
  ];
  const refusal = set.refusal ?? remove.refusal;
  return (
    <>
      {refusal !== null && editing === null && <RefusalAlert refusal={refusal} />}
      <p>{says.scheduleLead}</p>
      {schedules.data?.items.length !== 0 && add && <div className="buttons start">{add}</div>}
      <Table
        label={says.parts.schedules}
        nouns={nouns.schedules}
        rows={schedules}
        order={order}
        columns={columns}
        empty={<Empty text={says.noSchedules}>{add}</Empty>}
        onPage={onPage}
        {...(mayWrite && { acts })}
      />
      {editing !== null && (
        <EditSchedule schedule={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
    </>
  );
}

function EditSchedule({ schedule, onClose }: { schedule: Schedule | null; onClose: () => void }) {
  const { lists, nameOf } = useLists();
  const { run, isRunning, refusal } = useWrite(SET, { renews: SCHEDULES });
  const save = async (values: FormValues) => {
    const cadence = oneOf(CADENCES, values.text("cadence")) ?? "WEEKLY";
    const listId = schedule?.listId ?? values.text("listId");
    if ((await run({ listId, cadence, enabled: schedule?.enabled ?? true })) === null) return;
    say(says.saidSchedule);
    onClose();
  };
  return (
    <Modal title={schedule === null ? says.addSchedule : nameOf(schedule.listId)} onClose={onClose}>
      <Form
        act={says.scheduleAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["listId", "cadence"]}
        mayBeLost
        onSubmit={(values) => void save(values)}
        onCancel={onClose}
      >
        {schedule === null && (
          <Select
            label={says.list}
            name="listId"
            isRequired
            refusal={refusal}
            options={lists.map(({ id, name, memberCount }) => ({ value: id, text: says.members(name, memberCount) }))}
          />
        )}
        <Select
          label={says.cadence}
          name="cadence"
          defaultValue={schedule?.cadence ?? "WEEKLY"}
          refusal={refusal}
          options={CADENCES.map((value) => ({ value, text: CADENCE[value] }))}
        />
      </Form>
    </Modal>
  );
}
