/** The languages of the page. The first one is the default. */
export const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

interface Texts {
  /** Also the text of the button. */
  unsubscribe: string;
  before: (address: string) => string;
  notMine: string;
  forwardedTitle: string;
  forwarded: (address: string) => string;
  back: string;
  doneTitle: string;
  done: (address: string) => string;
  already: (address: string) => string;
  invalidTitle: string;
  invalid: string;
  goneTitle: string;
  gone: string;
  failedTitle: string;
  failed: string;
  /** Replaces the address while the database is unreachable. */
  someAddress: string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    unsubscribe: "Unsubscribe",
    before: (address) =>
      `Nothing has changed yet. When you press the button, this sender will send no more emails to ${address}.`,
    notMine: "Not your address? Was the email forwarded to you?",
    forwardedTitle: "Nothing was changed",
    forwarded: (address) =>
      `The email was sent to ${address}, and this link only applies to that address. Nothing was changed for that address or for yours. You can close this page.`,
    back: "Back",
    doneTitle: "Unsubscribed",
    done: (address) =>
      `This sender will send no more emails to ${address}. An email that was already on its way may still arrive. You can close this page.`,
    already: (address) => `This sender sends no more emails to ${address}. There is nothing left to do.`,
    invalidTitle: "This link is not valid",
    invalid:
      "Nothing was changed. The link may be incomplete or changed. Open it again from the email, or reply to the email with the single word “unsubscribe”.",
    goneTitle: "You will get no more emails",
    gone: "The sender of this email no longer uses this service. All of the sender’s data was deleted, including your address. There is nothing left to do. You can close this page.",
    failedTitle: "That did not work",
    failed: "You are not unsubscribed yet. Please press the button again in a moment.",
    someAddress: "the address to which the email was sent",
  },
  de: {
    unsubscribe: "Abmelden",
    before: (address) =>
      `Noch wurde nichts geändert. Wenn Sie auf die Schaltfläche klicken, sendet dieser Absender keine E-Mails mehr an ${address}.`,
    notMine: "Nicht Ihre Adresse? Wurde die E-Mail an Sie weitergeleitet?",
    forwardedTitle: "Es wurde nichts geändert",
    forwarded: (address) =>
      `Die E-Mail ging an ${address}, und dieser Link gilt nur für diese Adresse. Weder für diese Adresse noch für Ihre wurde etwas geändert. Sie können diese Seite schließen.`,
    back: "Zurück",
    doneTitle: "Abgemeldet",
    done: (address) =>
      `Dieser Absender sendet keine E-Mails mehr an ${address}. Eine E-Mail, die schon unterwegs war, kann noch ankommen. Sie können diese Seite schließen.`,
    already: (address) => `Dieser Absender sendet keine E-Mails mehr an ${address}. Sie müssen nichts weiter tun.`,
    invalidTitle: "Dieser Link ist ungültig",
    invalid:
      "Es wurde nichts geändert. Der Link ist vielleicht unvollständig oder wurde verändert. Öffnen Sie ihn noch einmal aus der E-Mail, oder antworten Sie auf die E-Mail nur mit dem Wort „unsubscribe“.",
    goneTitle: "Sie erhalten keine E-Mails mehr",
    gone: "Der Absender dieser E-Mail nutzt diesen Dienst nicht mehr. Alle Daten des Absenders wurden gelöscht, auch Ihre Adresse. Sie müssen nichts weiter tun. Sie können diese Seite schließen.",
    failedTitle: "Das hat nicht geklappt",
    failed: "Sie sind noch nicht abgemeldet. Bitte klicken Sie gleich noch einmal auf die Schaltfläche.",
    someAddress: "die Adresse, an die die E-Mail ging",
  },
  fr: {
    unsubscribe: "Se désabonner",
    before: (address) =>
      `Rien n’a encore été modifié. Si vous cliquez sur le bouton, cet expéditeur n’enverra plus d’e-mails à ${address}.`,
    notMine: "Ce n’est pas votre adresse ? L’e-mail vous a été transféré ?",
    forwardedTitle: "Rien n’a été modifié",
    forwarded: (address) =>
      `L’e-mail a été envoyé à ${address}, et ce lien ne concerne que cette adresse. Rien n’a été modifié, ni pour cette adresse ni pour la vôtre. Vous pouvez fermer cette page.`,
    back: "Retour",
    doneTitle: "Désabonnement effectué",
    done: (address) =>
      `Cet expéditeur n’enverra plus d’e-mails à ${address}. Un e-mail déjà en route peut encore arriver. Vous pouvez fermer cette page.`,
    already: (address) => `Cet expéditeur n’envoie plus d’e-mails à ${address}. Vous n’avez rien d’autre à faire.`,
    invalidTitle: "Ce lien n’est pas valide",
    invalid:
      "Rien n’a été modifié. Le lien est peut-être incomplet ou a été modifié. Ouvrez-le à nouveau depuis l’e-mail, ou répondez à l’e-mail par le seul mot « unsubscribe ».",
    goneTitle: "Vous ne recevrez plus d’e-mails",
    gone: "L’expéditeur de cet e-mail n’utilise plus ce service. Toutes ses données ont été supprimées, y compris votre adresse. Vous n’avez rien d’autre à faire. Vous pouvez fermer cette page.",
    failedTitle: "Cela n’a pas fonctionné",
    failed: "Le désabonnement n’est pas encore effectué. Veuillez cliquer de nouveau sur le bouton dans un instant.",
    someAddress: "l’adresse à laquelle l’e-mail a été envoyé",
  },
  es: {
    unsubscribe: "Darse de baja",
    before: (address) =>
      `Todavía no se ha cambiado nada. Si pulsa el botón, este remitente no enviará más correos a ${address}.`,
    notMine: "¿No es su dirección? ¿Le han reenviado el correo?",
    forwardedTitle: "No se ha cambiado nada",
    forwarded: (address) =>
      `El correo se envió a ${address} y este enlace solo sirve para esa dirección. No se ha cambiado nada para esa dirección ni para la suya. Puede cerrar esta página.`,
    back: "Volver",
    doneTitle: "Baja realizada",
    done: (address) =>
      `Este remitente no enviará más correos a ${address}. Un correo que ya estaba en camino todavía puede llegar. Puede cerrar esta página.`,
    already: (address) => `Este remitente ya no envía correos a ${address}. No tiene que hacer nada más.`,
    invalidTitle: "Este enlace no es válido",
    invalid:
      "No se ha cambiado nada. Puede que el enlace esté incompleto o que se haya modificado. Ábralo otra vez desde el correo o responda al correo solo con la palabra «unsubscribe».",
    goneTitle: "No recibirá más correos",
    gone: "El remitente de este correo ya no usa este servicio. Se han borrado todos los datos del remitente, también su dirección. No tiene que hacer nada más. Puede cerrar esta página.",
    failedTitle: "No ha funcionado",
    failed: "La baja todavía no se ha realizado. Vuelva a pulsar el botón dentro de un momento.",
    someAddress: "la dirección a la que se envió el correo",
  },
  it: {
    unsubscribe: "Annulla l’iscrizione",
    before: (address) =>
      `Non è stato ancora modificato nulla. Se preme il pulsante, questo mittente non invierà più e-mail all’indirizzo ${address}.`,
    notMine: "Non è il suo indirizzo? L’e-mail le è stata inoltrata?",
    forwardedTitle: "Non è stato modificato nulla",
    forwarded: (address) =>
      `L’e-mail è stata inviata all’indirizzo ${address} e questo link riguarda solo quell’indirizzo. Non è stato modificato nulla, né per quell’indirizzo né per il suo. Può chiudere questa pagina.`,
    back: "Indietro",
    doneTitle: "Iscrizione annullata",
    done: (address) =>
      `Questo mittente non invierà più e-mail all’indirizzo ${address}. Un’e-mail già partita può ancora arrivare. Può chiudere questa pagina.`,
    already: (address) => `Questo mittente non invia più e-mail all’indirizzo ${address}. Non deve fare altro.`,
    invalidTitle: "Questo link non è valido",
    invalid:
      "Non è stato modificato nulla. Il link potrebbe essere incompleto o essere stato modificato. Lo riapra dall’e-mail, oppure risponda all’e-mail con la sola parola «unsubscribe».",
    goneTitle: "Non riceverà più e-mail",
    gone: "Il mittente di questa e-mail non usa più questo servizio. Tutti i dati del mittente sono stati cancellati, compreso il suo indirizzo. Non deve fare altro. Può chiudere questa pagina.",
    failedTitle: "Non ha funzionato",
    failed: "L’iscrizione non è ancora annullata. Prema di nuovo il pulsante tra un momento.",
    someAddress: "a cui è stata inviata l’e-mail",
  },
  pt: {
    unsubscribe: "Cancelar a subscrição",
    before: (address) =>
      `Ainda nada foi alterado. Se carregar no botão, este remetente não enviará mais e-mails para ${address}.`,
    notMine: "Não é o seu endereço? O e-mail foi-lhe reencaminhado?",
    forwardedTitle: "Nada foi alterado",
    forwarded: (address) =>
      `O e-mail foi enviado para ${address}, e este link diz respeito apenas a esse endereço. Nada foi alterado, nem para esse endereço nem para o seu. Pode fechar esta página.`,
    back: "Voltar",
    doneTitle: "Subscrição cancelada",
    done: (address) =>
      `Este remetente não enviará mais e-mails para ${address}. Um e-mail que já estava a caminho ainda pode chegar. Pode fechar esta página.`,
    already: (address) => `Este remetente já não envia e-mails para ${address}. Não precisa de fazer mais nada.`,
    invalidTitle: "Este link não é válido",
    invalid:
      "Nada foi alterado. O link pode estar incompleto ou ter sido alterado. Abra-o de novo a partir do e-mail, ou responda ao e-mail apenas com a palavra “unsubscribe”.",
    goneTitle: "Não receberá mais e-mails",
    gone: "O remetente deste e-mail já não usa este serviço. Todos os dados do remetente foram apagados, incluindo o seu endereço. Não precisa de fazer mais nada. Pode fechar esta página.",
    failedTitle: "Não funcionou",
    failed: "A subscrição ainda não foi cancelada. Carregue de novo no botão daqui a um momento.",
    someAddress: "o endereço para onde o e-mail foi enviado",
  },
  nl: {
    unsubscribe: "Afmelden",
    before: (address) =>
      `Er is nog niets gewijzigd. Als u op de knop klikt, stuurt deze afzender geen e-mails meer naar ${address}.`,
    notMine: "Niet uw adres? Is de e-mail naar u doorgestuurd?",
    forwardedTitle: "Er is niets gewijzigd",
    forwarded: (address) =>
      `De e-mail is naar ${address} gestuurd en deze link geldt alleen voor dat adres. Er is niets gewijzigd, niet voor dat adres en niet voor het uwe. U kunt deze pagina sluiten.`,
    back: "Terug",
    doneTitle: "Afgemeld",
    done: (address) =>
      `Deze afzender stuurt geen e-mails meer naar ${address}. Een e-mail die al onderweg was, kan nog aankomen. U kunt deze pagina sluiten.`,
    already: (address) => `Deze afzender stuurt geen e-mails meer naar ${address}. U hoeft niets meer te doen.`,
    invalidTitle: "Deze link is niet geldig",
    invalid:
      "Er is niets gewijzigd. De link is misschien onvolledig of veranderd. Open hem nog eens vanuit de e-mail, of beantwoord de e-mail met alleen het woord “unsubscribe”.",
    goneTitle: "U ontvangt geen e-mails meer",
    gone: "De afzender van deze e-mail gebruikt deze dienst niet meer. Alle gegevens van de afzender zijn verwijderd, ook uw adres. U hoeft niets meer te doen. U kunt deze pagina sluiten.",
    failedTitle: "Dat is niet gelukt",
    failed: "U bent nog niet afgemeld. Klik zo meteen nog eens op de knop.",
    someAddress: "het adres waar de e-mail naartoe is gestuurd",
  },
};
