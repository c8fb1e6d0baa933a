import type { DeadLink } from "../../operations/sign-in/dead-link.ts";
import type { Language } from "../public/unsubscribe-texts.ts";

export interface DeadLinkTexts {
  title: string;
  why: Readonly<Record<DeadLink, string>>;
  /** For a person who was invited. */
  invited: string;
  /** For the operator, before the first sign-in. Placeholders in braces are filled in. */
  first: string;
  /** For the operator of the service. */
  operator: string;
  signIn: string;
  signUp: string;
}

/** The page of a sign-in, invite or sign-up link that no longer works. */
export const DEAD_LINK_TEXTS: Readonly<Record<Language, DeadLinkTexts>> = {
  en: {
    title: "This link does not work",
    why: {
      UNKNOWN: "This link is not valid. It may be incomplete, or a newer link has replaced it.",
      USED: "This link was already used. It works only once: sign in with the password chosen at that time.",
      LATE: "This link has expired. It works for one day.",
      INVITE_LATE: "The link of this invite has expired. It works for seven days.",
      INVITE_REVOKED: "This invite was revoked or already accepted.",
      SIGN_UP_UNKNOWN: "This link is not valid or has expired. Sign up again.",
      SIGN_UP_USED: "This link was already used. Sign in.",
      SIGN_UP_KNOWN: "This address already has an account. Sign in.",
    },
    invited: "Were you invited? Ask the person who invited you for a new link.",
    first:
      "No one has signed in to this service yet. Do you run it? The current link is in the file {file} in its folder. {firstCommand} shows the link, and so does every start of the service.",
    operator: "Do you run this service? {command} creates a new link.",
    signIn: "Go to the sign-in page",
    signUp: "Sign up again",
  },
  de: {
    title: "Dieser Link funktioniert nicht",
    why: {
      UNKNOWN: "Dieser Link ist ungültig. Vielleicht ist er unvollständig, oder ein neuerer Link hat ihn ersetzt.",
      USED: "Dieser Link wurde bereits verwendet. Er funktioniert nur einmal: Melden Sie sich mit dem Passwort an, das dabei gewählt wurde.",
      LATE: "Dieser Link ist abgelaufen. Er gilt einen Tag lang.",
      INVITE_LATE: "Der Link dieser Einladung ist abgelaufen. Er gilt sieben Tage lang.",
      INVITE_REVOKED: "Diese Einladung wurde zurückgezogen oder bereits angenommen.",
      SIGN_UP_UNKNOWN: "Dieser Link ist ungültig oder abgelaufen. Registrieren Sie sich noch einmal.",
      SIGN_UP_USED: "Dieser Link wurde bereits verwendet. Melden Sie sich an.",
      SIGN_UP_KNOWN: "Zu dieser Adresse gibt es bereits ein Konto. Melden Sie sich an.",
    },
    invited: "Wurden Sie eingeladen? Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.",
    first:
      "Bei diesem Dienst hat sich noch niemand angemeldet. Betreiben Sie ihn? Der aktuelle Link steht in der Datei {file} in seinem Ordner. {firstCommand} zeigt den Link, ebenso jeder Start des Dienstes.",
    operator: "Betreiben Sie diesen Dienst? {command} erstellt einen neuen Link.",
    signIn: "Zur Anmeldeseite",
    signUp: "Noch einmal registrieren",
  },
  fr: {
    title: "Ce lien ne fonctionne pas",
    why: {
      UNKNOWN: "Ce lien n’est pas valide. Il est peut-être incomplet, ou un lien plus récent l’a remplacé.",
      USED: "Ce lien a déjà été utilisé. Il ne fonctionne qu’une seule fois : connectez-vous avec le mot de passe choisi à ce moment-là.",
      LATE: "Ce lien a expiré. Il est valable un jour.",
      INVITE_LATE: "Le lien de cette invitation a expiré. Il est valable sept jours.",
      INVITE_REVOKED: "Cette invitation a été annulée ou déjà acceptée.",
      SIGN_UP_UNKNOWN: "Ce lien n’est pas valide ou a expiré. Inscrivez-vous à nouveau.",
      SIGN_UP_USED: "Ce lien a déjà été utilisé. Connectez-vous.",
      SIGN_UP_KNOWN: "Un compte existe déjà pour cette adresse. Connectez-vous.",
    },
    invited: "Avez-vous reçu une invitation ? Demandez un nouveau lien à la personne qui vous l’a envoyée.",
    first:
      "Personne ne s’est encore connecté à ce service. Vous l’administrez ? Le lien actuel se trouve dans le fichier {file} de son dossier. {firstCommand} affiche le lien, tout comme chaque démarrage du service.",
    operator: "Vous administrez ce service ? {command} crée un nouveau lien.",
    signIn: "Aller à la page de connexion",
    signUp: "S’inscrire à nouveau",
  },
  es: {
    title: "Este enlace no funciona",
    why: {
      UNKNOWN: "Este enlace no es válido. Puede que esté incompleto o que un enlace más reciente lo haya sustituido.",
      USED: "Este enlace ya se ha utilizado. Funciona una sola vez: inicie sesión con la contraseña que se eligió entonces.",
      LATE: "Este enlace ha caducado. Es válido durante un día.",
      INVITE_LATE: "El enlace de esta invitación ha caducado. Es válido durante siete días.",
      INVITE_REVOKED: "Esta invitación se ha anulado o ya se ha aceptado.",
      SIGN_UP_UNKNOWN: "Este enlace no es válido o ha caducado. Regístrese de nuevo.",
      SIGN_UP_USED: "Este enlace ya se ha utilizado. Inicie sesión.",
      SIGN_UP_KNOWN: "Ya existe una cuenta con esta dirección. Inicie sesión.",
    },
    invited: "¿Ha recibido una invitación? Pida un enlace nuevo a la persona que se la envió.",
    first:
      "Nadie ha iniciado sesión todavía en este servicio. ¿Lo administra usted? El enlace actual está en el archivo {file} de su carpeta. {firstCommand} muestra el enlace, y también lo hace cada inicio del servicio.",
    operator: "¿Administra usted este servicio? {command} crea un enlace nuevo.",
    signIn: "Ir a la página de inicio de sesión",
    signUp: "Registrarse de nuevo",
  },
  it: {
    title: "Questo link non funziona",
    why: {
      UNKNOWN: "Questo link non è valido. Potrebbe essere incompleto, oppure un link più recente lo ha sostituito.",
      USED: "Questo link è già stato utilizzato. Funziona una sola volta: acceda con la password scelta in quel momento.",
      LATE: "Questo link è scaduto. È valido per un giorno.",
      INVITE_LATE: "Il link di questo invito è scaduto. È valido per sette giorni.",
      INVITE_REVOKED: "Questo invito è stato revocato o già accettato.",
      SIGN_UP_UNKNOWN: "Questo link non è valido o è scaduto. Si registri di nuovo.",
      SIGN_UP_USED: "Questo link è già stato utilizzato. Acceda.",
      SIGN_UP_KNOWN: "Esiste già un account per questo indirizzo. Acceda.",
    },
    invited: "Ha ricevuto un invito? Chieda un nuovo link alla persona che gliel’ha inviato.",
    first:
      "Nessuno ha ancora effettuato l’accesso a questo servizio. Lo gestisce lei? Il link attuale si trova nel file {file} della sua cartella. {firstCommand} mostra il link, e così fa ogni avvio del servizio.",
    operator: "Gestisce questo servizio? {command} crea un nuovo link.",
    signIn: "Vai alla pagina di accesso",
    signUp: "Registrarsi di nuovo",
  },
  pt: {
    title: "Este link não funciona",
    why: {
      UNKNOWN: "Este link não é válido. Pode estar incompleto, ou foi substituído por um link mais recente.",
      USED: "Este link já foi utilizado. Funciona uma só vez: inicie sessão com a palavra-passe escolhida nessa altura.",
      LATE: "Este link expirou. É válido durante um dia.",
      INVITE_LATE: "O link deste convite expirou. É válido durante sete dias.",
      INVITE_REVOKED: "Este convite foi anulado ou já foi aceite.",
      SIGN_UP_UNKNOWN: "Este link não é válido ou expirou. Registe-se de novo.",
      SIGN_UP_USED: "Este link já foi utilizado. Inicie sessão.",
      SIGN_UP_KNOWN: "Já existe uma conta com este endereço. Inicie sessão.",
    },
    invited: "Recebeu um convite? Peça um novo link à pessoa que lho enviou.",
    first:
      "Ainda ninguém iniciou sessão neste serviço. É o responsável por ele? O link atual está no ficheiro {file} da sua pasta. {firstCommand} mostra o link, e cada arranque do serviço também.",
    operator: "É o responsável por este serviço? {command} cria um novo link.",
    signIn: "Ir para a página de início de sessão",
    signUp: "Registar-se de novo",
  },
  nl: {
    title: "Deze link werkt niet",
    why: {
      UNKNOWN: "Deze link is niet geldig. Hij is misschien onvolledig, of een nieuwere link heeft hem vervangen.",
      USED: "Deze link is al gebruikt. Hij werkt maar één keer: meld u aan met het wachtwoord dat toen is gekozen.",
      LATE: "Deze link is verlopen. Hij is één dag geldig.",
      INVITE_LATE: "De link van deze uitnodiging is verlopen. Hij is zeven dagen geldig.",
      INVITE_REVOKED: "Deze uitnodiging is ingetrokken of al geaccepteerd.",
      SIGN_UP_UNKNOWN: "Deze link is niet geldig of verlopen. Registreer u opnieuw.",
      SIGN_UP_USED: "Deze link is al gebruikt. Meld u aan.",
      SIGN_UP_KNOWN: "Er bestaat al een account voor dit adres. Meld u aan.",
    },
    invited: "Bent u uitgenodigd? Vraag de persoon die u heeft uitgenodigd om een nieuwe link.",
    first:
      "Bij deze dienst heeft nog niemand zich aangemeld. Beheert u hem? De huidige link staat in het bestand {file} in zijn map. {firstCommand} toont de link, net als elke start van de dienst.",
    operator: "Beheert u deze dienst? {command} maakt een nieuwe link.",
    signIn: "Naar de aanmeldpagina",
    signUp: "Opnieuw registreren",
  },
};
