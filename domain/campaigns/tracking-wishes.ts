import type { Settings } from "./settings.ts";

/** The first setting of a campaign that needs mail to be tracked; null when none does. */
export function trackingWishOf(settings: Settings): keyof Settings | null {
  for (const key of ["trackOpens", "trackClicks", "stopOnOpen", "stopOnClick"] as const) if (settings[key]) return key;
  return settings.conversionLinks && settings.conversionDomains.length > 0 ? "conversionDomains" : null;
}
