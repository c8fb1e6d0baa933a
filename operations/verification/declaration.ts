import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import * as verificationExport from "./export.ts";
import * as verificationJobs from "./jobs.ts";
import * as verificationSchedules from "./schedules.ts";
import * as verificationSettings from "./settings.ts";
import { usage as verificationUsage } from "./usage.ts";

export const verificationDeclaration = {
  verbs: {
    "verification.startJob": verificationJobs.start,
    "verification.listJobs": verificationJobs.list,
    "verification.getJob": verificationJobs.get,
    "verification.getUsage": verificationUsage,
    "verification.listSchedules": verificationSchedules.list,
    "verification.setSchedule": verificationSchedules.set,
    "verification.deleteSchedule": verificationSchedules.remove,
    "verification.getSettings": verificationSettings.settings,
    "verification.updateSettings": verificationSettings.changeSettings,
    "verification.export": verificationExport.exportResults,
  },
  routes: [
    ["get", "/verification/jobs", verificationJobs.list],
    ["post", "/verification/jobs", verificationJobs.start, 201],
    ["get", "/verification/jobs/:jobId", verificationJobs.get],
    ["get", "/verification/usage", verificationUsage],
    ["get", "/verification/schedules", verificationSchedules.list],
    ["put", "/verification/schedules", verificationSchedules.set],
    ["delete", "/verification/schedules/:scheduleId", verificationSchedules.remove],
    ["get", "/verification/settings", verificationSettings.settings],
    ["patch", "/verification/settings", verificationSettings.changeSettings],
    ["get", "/verification/export", verificationExport.exportResults],
  ],
  tools: {
    verification: {
      verification_jobs: {
        operation: choice(
          "verification:read",
          "List verification jobs, or read one",
          { list: verificationJobs.list, get: verificationJobs.get },
          "list",
          { given: "jobId", action: "get" },
        ),
        title: "Verification jobs",
        readOnly: true,
        when: "Counts of addresses by result; returns the jobId of verification_export. leads_get has the result of each lead. Mail servers are queried slowly, so a job may take hours.",
      },
      verification_usage: {
        operation: verificationUsage,
        title: "Verification usage",
        readOnly: true,
        when: "Addresses checked this month, or between two days; reused results are not counted.",
      },
      verification_schedules: {
        operation: verificationSchedules.list,
        title: "Verification schedules",
        readOnly: true,
        when: "Lead lists that are verified on a schedule; lead_lists names the lists.",
      },
      verification_settings: {
        operation: verificationSettings.settings,
        title: "Verification settings",
        readOnly: true,
        when: "Whether imports are verified and how sending uses the results; workspace_manage changes them by patch.verification.",
      },
      verification_export: {
        operation: verificationExport.exportResults,
        title: "Export verification results",
        readOnly: true,
        when: "Each address with its result and reason, a page of CSV or a whole workbook. verification_jobs returns the jobId.",
      },
    },
  },
  examples: {
    afterwards: [
      { at: "post /verification/jobs", title: "Verify the members of a list", body: { listId: ids.listId } },
      {
        at: "post /verification/jobs",
        title: "Verify addresses before they become leads",
        body: { emails: ["ada@acme.com", "grace@acme.com"] },
      },
      {
        at: "put /verification/schedules",
        title: "Verify a list every week",
        body: { listId: ids.listId, cadence: "WEEKLY" },
      },
      {
        at: "patch /verification/settings",
        title: "Verify imported leads, and treat catch-all domains as risky",
        body: { autoVerifyOnImport: true, treatCatchAllAs: "RISKY" },
      },
    ],
  },
} as const satisfies Declaration;
