import type { LeadText } from "./lead.ts";

/** Names of columns in the exports of the usual tools and languages, as `plainName` writes them (rules/leads 2.2). */
const NAMES: Readonly<Record<LeadText | "email" | "tags" | "customFields.linkedin", string>> = {
  email:
    "emailaddress workemail businessemail emailwork primaryemail mail emailadresse mailadresse adresseemail courriel correo correoelectronico posta postaelettronica indirizzoemail emailadres enderecodeemail",
  tags: "tag labels etiquetas etiquettes schlagworte",
  firstName: "givenname forename vorname prenom nombre primernombre voornaam primeironome",
  lastName: "surname familyname nachname familienname nomdefamille apellido apellidos cognome achternaam sobrenome apelido",
  fullName: "contactname vollername nomcomplet nombrecompleto nomecompleto volledigenaam",
  company:
    "companyname organization organisation organizationname employer account accountname firma unternehmen firmenname entreprise societe empresa compania azienda societa bedrijf bedrijfsnaam",
  website: "companywebsite webseite internetseite siteweb sitioweb sitoweb siteinternet",
  jobTitle: "title position jobposition berufsbezeichnung stelle poste fonction cargo puesto ruolo qualifica functie functietitel",
  phone: "phonenumber telephone mobilephone workphone telefon telefonnummer telephonenumber telefono telefone telefoon telefoonnummer",
  city: "town stadt ort ville ciudad citta cidade plaats stad",
  state: "region province bundesland estado provincia regione provincie",
  country: "countrycode land pays pais paese",
  "customFields.linkedin": "linkedin linkedinurl linkedinprofile linkedinprofileurl personlinkedinurl",
  timezone: "zeitzone fuseauhoraire zonahoraria fusoorario fusohorario tijdzone",
};

const FIELD_OF = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.split(" ").map((name): [string, string] => [name, field])),
);

/** The name of the lead field that a column of this name usually holds, or null. */
export function usualField(column: string): string | null {
  return FIELD_OF.get(plainName(column)) ?? null;
}

/** The declared custom fields by what a column may call them: their key or their label. */
export function declaredNames(fields: readonly { key: string; label: string }[]): ReadonlyMap<string, string> {
  const byLabel = fields.map(({ key, label }): [string, string] => [plainName(label), `customFields.${key}`]);
  const byKey = fields.map(({ key }): [string, string] => [plainName(key), `customFields.${key}`]);
  return new Map([...byLabel, ...byKey]);
}

/** A column's name without case, accents, spaces, `_`, `-` and `.`. */
export function plainName(column: string): string {
  return column
    .normalize("NFD")
    .replace(/[\s_.\-\p{Mn}\uFEFF]/gu, "")
    .toLowerCase();
}
