import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { exportLinks, exportReport, reportPage } from "./export.ts";
import { home } from "./home.ts";
import { links } from "./links.ts";
import { report } from "./report.ts";

export const analyticsDeclaration = {
  verbs: {
    "analytics.report": report,
    "analytics.exportReport": exportReport,
    "analytics.exportReportPage": reportPage,
    "analytics.links": links,
    "analytics.exportLinks": exportLinks,
    "home.read": home,
  },
  routes: [
    ["get", "/analytics/report", report],
    ["get", "/analytics/report/export", exportReport],
    ["get", "/analytics/links", links],
    ["get", "/analytics/links/export", exportLinks],
    ["get", "/home", home],
  ],
  tools: {
    analytics: {
      analytics_report: {
        operation: choice(
          "analytics:read",
          "Report the emails of campaigns and their results by group. Exact at any time, today included",
          { json: report, csv: reportPage },
          "json",
          "format",
        ),
        title: "Report on campaigns",
        readOnly: true,
        when: "Figures of all or some campaigns in a period, by groupBy; campaigns_get has those of one campaign over all time. Days are in the workspace's zone; `metrics` shortens the answer.",
      },
      analytics_report_links: {
        operation: links,
        title: "Report on links",
        readOnly: true,
        untrusted: true,
        when: "Clicks, first-time clicks and conversions of each link, over the last 30 days unless you set from and to.",
      },
    },
  },
} as const satisfies Declaration;
