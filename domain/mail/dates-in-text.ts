/** The stems of the month names, one entry per month, in the languages that chrono does not read. Accents and case are removed. */
const MONTHS: readonly string[] = [
  "jan sty led oca tamm ian ιαν янв січ ינו يناير كانون",
  "feb lut uno sub helm fev φεβ фев лют פבר فبراير شباط",
  "mar brez maal μαρ мар берез מרץ מרס مارس",
  "apr kwi dub nis huht απρ апр квіт אפר ابريل نيسان",
  "maj mai may mei kve touk μαι мая май трав מאי مايو",
  "jun cze cervn haz kesa iun ιουν июн черв יונ يونيو حزيران",
  "jul lip cervenc tem hein iul ιουλ июл лип יול يوليو تموز",
  "aug sie srp agu elo avg αυγ авг серп אוג اغسطس",
  "sep wrz zar eyl syys szep σεπ сен верес ספט سبتمبر ايلول",
  "okt oct paz rij eki loka οκτ окт жовт אוק اكتوبر",
  "nov lis kas marr noi νοε ноя листоп נוב نوفمبر",
  "dec des gru pro ara joul δεκ дек груд דצמ ديسمبر",
];

const DATES: readonly (readonly [RegExp, (parts: readonly string[]) => readonly [string, string, string]])[] = [
  [/(?<![\d.])(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(20\d\d|\d\d)(?!\d)/gu, ([, day = "", month = "", year = ""]) => [year, month, day]],
  [/(?<!\d)(20\d\d)[./-]\s?(\d{1,2})[./-]\s?(\d{1,2})(?!\d)/gu, ([, year = "", month = "", day = ""]) => [year, month, day]],
  [
    /(?<!\d)(?:(20\d\d)\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/gu,
    ([, year = "", month = "", day = ""]) => [year, month, day],
  ],
  [/(?<![\d.])(\d{1,2})\.?\s(\p{L}{3,12})\.?(?:\s(20\d\d))?/gu, ([, day = "", month = "", year = ""]) => [year, month, day]],
  [/(?<!\p{L})(?:(20\d\d)\.?\s)?(\p{L}{3,12})\s(\d{1,2})(?![\d:])/gu, ([, year = "", month = "", day = ""]) => [year, month, day]],
];

/** Words before or after a date that make it the end of an absence. */
const CUE =
  /(?<!\p{L})(?:do|od|wracam|powr\p{L}*|zp[eě]t|til|fra|tilba\p{L}*|igen|asti|saakka|kadar|tarihine|itibaren|d[oö]n\p{L}*|visszat\p{L}*|p[aâă]n[aă]|din|revin|έως|μέχρι|από|επιστρ\p{L}*|до|по|с|вернусь|вернемся|возвращ\p{L}*|повернусь|з|đến|tới|hingga|sampai|kembali|עד|ועד|(?:א|י|נ)?חזור|אשוב|מיום|החל|حتى|الى|إلى|سأعود|أعود|من)(?!\p{L})|-(?:ig|t[oő]l)\b|まで|から|より|復帰|戻|回来|返回|返岗|恢复|至|到|까지|부터|복귀/iu;

/** English dates are left to chrono, because English writes the month first. */
const ENGLISH = /\b(?:until|till|through|back|return|from|available)\b/i;

/**
 * Finds dates near a word of absence, in languages that chrono does not read, and returns each as the epoch of its UTC midnight. A date
 * without a year is the next one after `today`. The day is read before the month.
 */
export function absenceDatesIn(text: string, today: number): number[] {
  return DATES.flatMap(([pattern, partsOf]) =>
    [...text.matchAll(pattern)].slice(0, 20).flatMap((found) => {
      const end = found.index + found[0].length;
      const around = `${text.slice(Math.max(0, found.index - 40), found.index)} | ${text.slice(end, end + 25)}`;
      if (!CUE.test(around) || ENGLISH.test(around)) return [];
      const [year, month, day] = partsOf([...found]);
      return dayOf(year, monthOf(month), Number(day), today);
    }),
  );
}

function monthOf(written: string): number {
  if (/^\d+$/.test(written)) return Number(written);
  const folded = written.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i").replaceAll("ł", "l");
  return MONTHS.findIndex((stems) => stems.split(" ").some((stem) => folded.startsWith(stem))) + 1;
}

function dayOf(year: string, month: number, day: number, today: number): number[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return [];
  const current = new Date(today).getUTCFullYear();
  const given = year === "" ? null : Number(year) + (year.length === 2 ? 2_000 : 0);
  const at = Date.UTC(given ?? current, month - 1, day);
  if (new Date(at).getUTCDate() !== day) return [];
  return [given === null && at < today ? Date.UTC(current + 1, month - 1, day) : at];
}
