import type { DeadLink } from "../../operations/sign-in/dead-link.ts";
import type { Language } from "../public/unsubscribe-texts.ts";

export interface DeadLinkTexts {
  title: string;
  why: Readonly<Record<DeadLink, string>>;
  /** For a person who was invited. */
  invited: string;
  /** For the operator of the service, before the first sign-in. Names in braces are filled in. */
  first: string;
  /** For the operator of the service. */
  operator: string;
  signIn: string;
  signUp: string;
}

/** The page of a link to sign in, to join or to sign up that leads nowhere. */
export const DEAD_LINK_TEXTS: Readonly<Record<Language, DeadLinkTexts>> = {
  en: {
    title: "This link does not work",
    why: {
      UNKNOWN: "This link is not valid. It may have been cut, or a newer link has replaced it.",
      USED: "This link was used already. It works once: sign in with the password that was chosen then.",
      LATE: "This link is too old. It works for one day.",
      INVITE_LATE: "The link of this invite is too old. It works for seven days.",
      INVITE_REVOKED: "This invite was revoked, or accepted already.",
      SIGN_UP_UNKNOWN: "This link is not valid, or too old: sign up once more.",
      SIGN_UP_USED: "This link was used already: sign in.",
      SIGN_UP_KNOWN: "This address has an account by now: sign in.",
    },
    invited: "Were you invited? Ask the person who invited you for a new link.",
    first:
      "No one has signed in to this service yet. Do you run it? The current link is in the file {file} in its folder. {firstCommand} shows the link, and so does every start of the service.",
    operator: "Do you run this service? {command} makes a new link.",
    signIn: "Go to the sign-in page",
    signUp: "Sign up again",
  },
  de: {
    title: "Dieser Link funktioniert nicht",
    why: {
      UNKNOWN: "Dieser Link ist ungültig. Vielleicht wurde er gekürzt, oder ein neuerer Link hat ihn ersetzt.",
      USED: "Dieser Link wurde bereits verwendet. Er funktioniert einmal: Melden Sie sich mit dem Passwort an, das dabei gewählt wurde.",
      LATE: "Dieser Link ist zu alt. Er funktioniert einen Tag lang.",
      INVITE_LATE: "Der Link dieser Einladung ist zu alt. Er funktioniert sieben Tage lang.",
      INVITE_REVOKED: "Diese Einladung wurde zurückgezogen oder bereits angenommen.",
      SIGN_UP_UNKNOWN: "Dieser Link ist ungültig oder zu alt: Registrieren Sie sich noch einmal.",
      SIGN_UP_USED: "Dieser Link wurde bereits verwendet: Melden Sie sich an.",
      SIGN_UP_KNOWN: "Diese Adresse hat inzwischen ein Konto: Melden Sie sich an.",
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
      UNKNOWN: "Ce lien n’est pas valable. Il a peut-être été coupé, ou un lien plus récent l’a remplacé.",
      USED: "Ce lien a déjà été utilisé. Il fonctionne une seule fois : connectez-vous avec le mot de passe choisi à ce moment-là.",
      LATE: "Ce lien est trop ancien. Il fonctionne pendant un jour.",
      INVITE_LATE: "Le lien de cette invitation est trop ancien. Il fonctionne pendant sept jours.",
      INVITE_REVOKED: "Cette invitation a été retirée ou déjà acceptée.",
      SIGN_UP_UNKNOWN: "Ce lien n’est pas valable ou trop ancien : inscrivez-vous à nouveau.",
      SIGN_UP_USED: "Ce lien a déjà été utilisé : connectez-vous.",
      SIGN_UP_KNOWN: "Cette adresse a désormais un compte : connectez-vous.",
    },
    invited: "Avez-vous été invité ? Demandez un nouveau lien à la personne qui vous a invité.",
    first:
      "Personne ne s’est encore connecté à ce service. Vous l’administrez ? Le lien actuel se trouve dans le fichier {file} de son dossier. {firstCommand} affiche le lien, tout comme chaque démarrage du service.",
    operator: "Vous administrez ce service ? {command} crée un nouveau lien.",
    signIn: "Aller à la page de connexion",
    signUp: "S’inscrire à nouveau",
  },
  es: {
    title: "Este enlace no funciona",
    why: {
      UNKNOWN: "Este enlace no es válido. Puede que se haya cortado o que un enlace más reciente lo haya sustituido.",
      USED: "Este enlace ya se ha utilizado. Funciona una sola vez: inicie sesión con la contraseña que se eligió entonces.",
      LATE: "Este enlace es demasiado antiguo. Funciona durante un día.",
      INVITE_LATE: "El enlace de esta invitación es demasiado antiguo. Funciona durante siete días.",
      INVITE_REVOKED: "Esta invitación se ha retirado o ya se ha aceptado.",
      SIGN_UP_UNKNOWN: "Este enlace no es válido o es demasiado antiguo: regístrese de nuevo.",
      SIGN_UP_USED: "Este enlace ya se ha utilizado: inicie sesión.",
      SIGN_UP_KNOWN: "Esta dirección ya tiene una cuenta: inicie sesión.",
    },
    invited: "¿Le han invitado? Pida un enlace nuevo a la persona que le invitó.",
    first:
      "Nadie ha iniciado sesión todavía en este servicio. ¿Lo administra usted? El enlace actual está en el archivo {file} de su carpeta. {firstCommand} muestra el enlace, y también lo hace cada inicio del servicio.",
    operator: "¿Administra usted este servicio? {command} crea un enlace nuevo.",
    signIn: "Ir a la página de inicio de sesión",
    signUp: "Registrarse de nuevo",
  },
  it: {
    title: "Questo link non funziona",
    why: {
      UNKNOWN: "Questo link non è valido. Potrebbe essere stato tagliato, oppure un link più recente lo ha sostituito.",
      USED: "Questo link è già stato utilizzato. Funziona una sola volta: acceda con la password scelta in quel momento.",
      LATE: "Questo link è troppo vecchio. Funziona per un giorno.",
      INVITE_LATE: "Il link di questo invito è troppo vecchio. Funziona per sette giorni.",
      INVITE_REVOKED: "Questo invito è stato ritirato o già accettato.",
      SIGN_UP_UNKNOWN: "Questo link non è valido o è troppo vecchio: si registri di nuovo.",
      SIGN_UP_USED: "Questo link è già stato utilizzato: acceda.",
      SIGN_UP_KNOWN: "Questo indirizzo ha ormai un account: acceda.",
    },
    invited: "È stato invitato? Chieda un nuovo link alla persona che l’ha invitata.",
    first:
      "Nessuno ha ancora effettuato l’accesso a questo servizio. Lo gestisce lei? Il link attuale si trova nel file {file} della sua cartella. {firstCommand} mostra il link, e così fa ogni avvio del servizio.",
    operator: "Gestisce questo servizio? {command} crea un nuovo link.",
    signIn: "Vai alla pagina di accesso",
    signUp: "Registrarsi di nuovo",
  },
  pt: {
    title: "Este link não funciona",
    why: {
      UNKNOWN: "Este link não é válido. Pode ter sido cortado, ou um link mais recente substituiu-o.",
      USED: "Este link já foi utilizado. Funciona uma só vez: inicie sessão com a palavra-passe escolhida nessa altura.",
      LATE: "Este link é demasiado antigo. Funciona durante um dia.",
      INVITE_LATE: "O link deste convite é demasiado antigo. Funciona durante sete dias.",
      INVITE_REVOKED: "Este convite foi retirado ou já foi aceite.",
      SIGN_UP_UNKNOWN: "Este link não é válido ou é demasiado antigo: registe-se de novo.",
      SIGN_UP_USED: "Este link já foi utilizado: inicie sessão.",
      SIGN_UP_KNOWN: "Este endereço já tem uma conta: inicie sessão.",
    },
    invited: "Foi convidado? Peça um novo link à pessoa que o convidou.",
    first:
      "Ainda ninguém iniciou sessão neste serviço. É o responsável por ele? O link atual está no ficheiro {file} da sua pasta. {firstCommand} mostra o link, e cada arranque do serviço também.",
    operator: "É o responsável por este serviço? {command} cria um novo link.",
    signIn: "Ir para a página de início de sessão",
    signUp: "Registar-se de novo",
  },
  nl: {
    title: "Deze link werkt niet",
    why: {
      UNKNOWN: "Deze link is niet geldig. Hij is misschien afgebroken, of een nieuwere link heeft hem vervangen.",
      USED: "Deze link is al gebruikt. Hij werkt één keer: meld u aan met het wachtwoord dat toen is gekozen.",
      LATE: "Deze link is te oud. Hij werkt één dag.",
      INVITE_LATE: "De link van deze uitnodiging is te oud. Hij werkt zeven dagen.",
      INVITE_REVOKED: "Deze uitnodiging is ingetrokken of al aangenomen.",
      SIGN_UP_UNKNOWN: "Deze link is niet geldig of te oud: registreer u opnieuw.",
      SIGN_UP_USED: "Deze link is al gebruikt: meld u aan.",
      SIGN_UP_KNOWN: "Dit adres heeft inmiddels een account: meld u aan.",
    },
    invited: "Bent u uitgenodigd? Vraag de persoon die u heeft uitgenodigd om een nieuwe link.",
    first:
      "Bij deze dienst heeft nog niemand zich aangemeld. Beheert u hem? De huidige link staat in het bestand {file} in zijn map. {firstCommand} toont de link, net als elke start van de dienst.",
    operator: "Beheert u deze dienst? {command} maakt een nieuwe link.",
    signIn: "Naar de aanmeldpagina",
    signUp: "Opnieuw registreren",
  },
};
