import { z } from "zod";
import { address } from "../address.ts";

/** The fields of a request about one person. */
export const named = {
  email: address.describe(
    "An email address of the person, as people write it, also one that a lead had before. Addresses from which the person has replied are found too",
  ),
};

/** What responses say about the addresses of the person. */
export const found = {
  addresses: z.array(z.string()).describe("The address of the request, and the learnt ones"),
  sharedAddresses: z
    .array(z.string())
    .describe(
      "Addresses that several leads or prospects have, so they do not show who the person is and were not followed. Ask for each learnt one separately",
    ),
};
