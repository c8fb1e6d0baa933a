type Jest = typeof import("@jest/globals");

/** What a test imports from `@jest/globals`, as the runner defines it. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = globalThis as unknown as Jest;
