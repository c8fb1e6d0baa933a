import { foldVariableName } from "./liquid.ts";

/**
 * Words for the data that tools store about a person, an employer or a sender, in the languages of templates.
 */
const NOUNS = new Set(
  [
    "name firstname lastname fullname fname lname mname surname givenname familyname forename nickname middlename salutation honorific prefix suffix",
    "first last middle email mail phone mobile telephone tel fax address street zip zipcode postcode postal city town state province region country",
    "company organization organisation organization employer business firm brand industry sector website site domain url homepage linkedin twitter",
    "job title jobtitle position role department seniority headcount employees employee revenue birthday gender language timezone",
    "companyname businessname domainname emailaddress phonenumber mobilenumber jobrole username userid website signature sendername senderemail",
    "unsub unsubscribe unsubscribelink unsubscribeurl optout optouturl optoutlink unsublink unsuburl preferences webversion viewinbrowser",
    "icebreaker opener firstline intro personalization personalisation ps painpoint compliment competitor",
    "vorname nachname anrede firma unternehmen firmenname stadt ort plz strasse land telefon handy abmelden abmeldelink titel briefanrede",
    "prenom nom entreprise societe ville pays poste desinscription civilite nombre apellido apellidos empresa ciudad pais cargo puesto correo",
    "nome cognome azienda citta paese sobrenome cidade voornaam achternaam bedrijf bedrijfsnaam aanhef stad imie nazwisko miasto fornamn efternamn",
    "foretag fornavn etternavn efternavn virksomhed etunimi sukunimi yritys jmeno prijmeni spolecnost ad soyad sirket utm",
    "имя фамилия компания город должность ім'я прізвище компанія",
  ].flatMap((line) => line.split(" ")),
);

/** Nouns that also occur in brackets or braces in prose, so a single one does not show a placeholder. */
const EVERYDAY = new Set(
  "first last mail mobile state region address role position department title job site url brand firm business language intro ps prefix suffix opener street town employee employees revenue ad land ort nom nome stad cargo email unsub preferences domain middle signature sector phone".split(
    " ",
  ),
);

/** Words that occur in field names only together with a noun, such as "first" in "first name". */
const BESIDES = new Set(
  [
    "your my insert enter add recipient recipients prospect prospects lead leads contact contacts customer customers client clients sender user",
    "subscriber member person people merge field custom var variable data attr attribute attributes prop properties property param params account",
    "deal owner profile here id size number line code count type full short current personal work primary main link page text value",
    "de du da di des del la le",
  ].flatMap((line) => line.split(" ")),
);

/** The words of a name in any notation: `First Name`, `first_name`, `contact.firstName` and `FIRST-NAME`. */
function nameParts(name: string): string[] {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[\s_.:-]+/)
    .filter((word) => word !== "");
}

/**
 * Whether a name belongs to a field that this product or common tools have, such as `FIRST_NAME`, `Company Name` or
 * `prénom`. `custom` are the folded keys of the workspace's own fields.
 */
export function isFieldName(name: string, custom: ReadonlySet<string>): boolean {
  if (custom.has(foldVariableName(name.trim()))) return true;
  if (/^(?:custom|customfield|merge|mmerge|field|variable)_?\d{1,3}$/i.test(name.trim())) return true;
  const words = nameParts(name).map((word) => word.replace(/\d+$/, "") || word);
  if (words.length === 0 || words.length > 5) return false;
  return words.some((word) => NOUNS.has(word)) && words.every((word) => NOUNS.has(word) || BESIDES.has(word));
}

/** Whether a name belongs to a field and is not just a word of prose. A single everyday word does not count. */
export function isDistinctFieldName(name: string, custom: ReadonlySet<string>): boolean {
  if (custom.has(foldVariableName(name.trim()))) return true;
  return isFieldName(name, custom) && !(EVERYDAY.has(nameParts(name).join(" ")) && !isUpperField(name));
}

function isUpperField(name: string): boolean {
  return /^[A-Z]{2,}$/.test(name) && !["URL", "PS", "AD", "FIRST", "LAST"].includes(name);
}

/** Whether a name is in capitals with underscores, such as `FIRST_NAME` or `FIELD_2`, which does not occur in prose. */
export function isUpperSnake(name: string): boolean {
  return /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(name);
}

/** Whether a name is in a notation of programs, such as `deal_stage`, `contact.tier` or `dealStage`. */
export function isProgramName(name: string): boolean {
  return /^[a-z][a-z\d]*(?:[_.][a-z\d]+)+$/i.test(name) || /^[a-z][a-z\d]*(?:[A-Z][a-z\d]+)+$/.test(name);
}

const OWN_NAMES: [RegExp, string][] = [
  [/^(?:first|given|fname|forename|vorname|prenom|nombre|voornaam|imie|nome)/, "firstName"],
  [/^(?:last|family|lname|surname|nachname|apellido|cognome|achternaam|nazwisko)/, "lastName"],
  [
    /(?:company|organi[sz]ation|employer|business|firma|unternehmen|entreprise|societe|empresa|azienda|bedrijf)/,
    "company",
  ],
  [/(?:unsub|optout|abmeld|desinscri)/, "unsubscribeLink"],
  [/(?:jobtitle|position|role|titel)/, "jobTitle"],
  [/email/, "email"],
  [/(?:phone|mobile|telefon)/, "phone"],
  [/(?:city|stadt|ville|ciudad|citta)/, "city"],
  [/country/, "country"],
  [/website/, "website"],
  [/^(?:full)?name$/, "fullName"],
];

/** Our variable that a name probably means; null if the name does not show it. */
export function ownNameOf(name: string): string | null {
  const words = nameParts(name).filter(
    (word) => !["contact", "lead", "recipient", "prospect", "customer", "user", "your"].includes(word),
  );
  return OWN_NAMES.find(([pattern]) => pattern.test(words.join("")))?.[1] ?? null;
}
