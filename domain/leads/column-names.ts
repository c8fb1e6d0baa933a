import type { LeadText } from "./lead.ts";

/**
 * Names of columns in the exports of the usual tools and in the main languages, without what `plainName` removes
 * (rules/leads 2.2).
 */
const NAMES: Readonly<Record<LeadText | "email" | "tags" | "customFields.linkedin", string>> = {
  email: `
    emailaddress workemail businessemail emailwork primaryemail mail emailadresse mailadresse epost epostadresse
    epostadress adresseemail adressemail adressemel courriel correo correoelectronico direcciondecorreo
    direcciondecorreoelectronico direcciondeemail posta postaelettronica indirizzoemail indirizzomail
    indirizzodipostaelettronica emailadres mailadres enderecodeemail correioeletronico adresemail
    adrespocztyelektronicznej poczta emailova emailovaadresa eposta sahkoposti sahkopostiosoite emailcim
    адресэлектроннойпочты электроннаяпочта почта メールアドレス メール 邮箱 电子邮件 电子邮箱
  `,
  tags: `
    tag labels etiquetas etiquettes etichette schlagworte schlagworter stichworte etykiety tagi stitky taggar теги タグ 标签
  `,
  firstName: `
    givenname forename vorname prenom nombre primernombre voornaam roepnaam primeironome nomeproprio imie jmeno
    krestnijmeno fornamn fornavn etunimi keresztnev prenume имя 名 名字
  `,
  lastName: `
    surname familyname nachname familienname zuname nomdefamille apellido apellidos primerapellido cognome achternaam
    sobrenome apelido ultimonome nazwisko prijmeni efternamn efternavn etternavn sukunimi soyad soyadi vezeteknev
    numedefamilie фамилия 姓 姓氏
  `,
  fullName: `
    contactname contactperson vollername ansprechpartner ansprechpartnerin kontaktperson vorundnachname vornamenachname
    nomcomplet nometprenom prenometnom nombrecompleto nombreyapellidos nombreyapellido nomecompleto nomeecognome
    volledigenaam contactpersoon imieinazwisko jmenoaprijmeni fio фио 氏名 姓名
  `,
  company: `
    companyname organization organisation organizationname organisationname employer account accountname firma unternehmen
    unternehmensname firmenname firmenbezeichnung arbeitgeber betrieb entreprise societe raisonsociale nomdelasociete
    nomdelentreprise empresa compania organizacion razonsocial nombredelaempresa azienda nomeazienda societa ditta
    ragionesociale bedrijf bedrijfsnaam organisatie nomedaempresa organizacao razaosocial nazwafirmy społka spolecnost
    nazevfirmy foretag foretagsnamn firmanavn virksomhed selskap bedrift yritys sirket cegnev companie компания
    организация 会社名 会社 公司 公司名称
  `,
  website: `
    companywebsite companyurl homepage web webseite webadresse internetseite siteweb sitioweb paginaweb sitoweb
    sitointernet siteinternet webpagina stronawww stronainternetowa witryna webovestranky webbplats hemsida hjemmeside
    nettside nettsted verkkosivu сайт ウェブサイト 网站 网址
  `,
  jobTitle: `
    title position role jobposition jobrole berufsbezeichnung positionsbezeichnung jobtitel stelle stellung funktion beruf
    poste fonction intituledeposte intituleduposte cargo puesto puestodetrabajo ruolo qualifica mansione posizione functie
    functietitel functienaam funcao stanowisko pozice funkce befattning stilling titteli unvan beosztas должность 役職 职位 职务
  `,
  phone: `
    phonenumber telephone telephonenumber tel phoneno mobilephone mobile mobilenumber cell cellphone workphone
    businessphone directphone contactnumber telefon telefonnummer telefonnr rufnummer mobil mobiltelefon mobilnummer handy
    handynummer numerodetelephone numerotelephone portable telefono numerodetelefono movil celular numeroditelefono
    cellulare telefone numerodetelefone telemovel telefoon telefoonnummer mobiel mobielnummer numertelefonu nrtelefonu
    telefonkomorkowy telefonnicislo telefoncislo puhelin puhelinnumero telefonszam телефон номертелефона 電話番号 電話 电话 手机
  `,
  city: `
    town stadt ort wohnort ville commune ciudad localidad poblacion citta comune localita cidade localidade plaats
    woonplaats stad miasto miejscowosc mesto kaupunki sehir varos oras город 市区町村 都市 城市
  `,
  state:
    "region province bundesland kanton departement estado provincia regione provincie wojewodztwo 州 область 都道府県 省",
  country: "countrycode countryname land pays pais paese staat kraj panstwo zeme maa ulke orszag tara страна 国 国家",
  "customFields.linkedin": "linkedin linkedinurl linkedinprofile linkedinprofileurl personlinkedinurl",
  timezone: `
    zeitzone fuseauhoraire zonahoraria husohorario fusoorario fusohorario tijdzone strefaczasowa casovepasmo tidszon
    tidszone tidssone aikavyohyke saatdilimi idozona часовойпояс タイムゾーン 时区
  `,
};

const FIELD_OF = new Map(
  Object.entries(NAMES).flatMap(
    ([field, names]) => names.match(/\S+/g)?.map((name): [string, string] => [plainName(name), field]) ?? [],
  ),
);

/** The name of the lead field that a column of this name usually holds, or null. */
export function usualField(column: string): string | null {
  return FIELD_OF.get(plainName(column)) ?? null;
}

/** The declared custom fields by the names that a column for them may have: the key or the label. */
export function declaredNames(fields: readonly { key: string; label: string }[]): ReadonlyMap<string, string> {
  const byLabel = fields.map(({ key, label }): [string, string] => [plainName(label), `customFields.${key}`]);
  const byKey = fields.map(({ key }): [string, string] => [plainName(key), `customFields.${key}`]);
  return new Map([...byLabel, ...byKey]);
}

/**
 * A column's name without case, accents, spaces, invisible characters, apostrophes, `_`, `-` and `.`, and without a
 * final `:` or `*`.
 */
export function plainName(column: string): string {
  return column
    .normalize("NFD")
    .replace(/[\s_.\-'’\p{Mn}\p{Cf}]|[:*\s]+$/gu, "")
    .toLowerCase();
}
