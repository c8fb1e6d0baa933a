import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Rest } from "../support/rest.ts";

interface Place {
  workspaceId: string;
  campaignId: string;
}

export const pathOf = ({ workspaceId, campaignId }: Place) => `/w/${workspaceId}/campaigns/${campaignId}?part=sequence`;
export const stateIn = (page: Page) => page.getByRole("status", { name: "State of the changes" });
export const stepsIn = (page: Page) => page.getByRole("navigation", { name: "Steps" });
export const previewIn = (page: Page) => page.getByRole("region", { name: "Preview" });
export const mailIn = (page: Page) => page.frameLocator("iframe.mail-frame");

export async function sequenceOf(rest: Rest, campaignId: string) {
  return (await rest.get(`/campaigns/${campaignId}/sequence`)).body;
}

export async function firstSubjectOf(rest: Rest, campaignId: string): Promise<string | null> {
  return (await sequenceOf(rest, campaignId)).steps[0].variants[0].subject;
}

/** Waits until the console says that everything is saved. */
export async function waitUntilSaved(page: Page): Promise<void> {
  await stateIn(page)
    .getByText(/^Saved \d\d:\d\d$/)
    .waitFor();
}

/** The requests with which a page writes the sequence, plans apart. */
export function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on("request", (request) => {
    const body = request.postData() ?? "";
    if (request.method() === "PUT" && !body.includes('"planOnly":true')) writes.push(body);
  });
  return writes;
}

export async function launch({ rest, campaignId }: { rest: Rest; campaignId: string }): Promise<void> {
  const { body } = await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
  expect(body).toMatchObject({ campaign: { status: "ACTIVE" } });
}
