import type { Phrases } from "./scenario.ts";

export const FRENCH: Phrases = {
  greeting: "{Bonjour|Bien le bonjour|Bonjour à vous,} [name],",
  greetingWithoutName: "{Bonjour|Bien le bonjour|Bonjour à vous},",
  greetsBy: "FIRST_NAME",
  openers: [
    "{{J'espère|Nous espérons} que {vous allez bien|tout va bien|la semaine {va|commence} bien}.|{Un petit|Un bref|Juste un} {message|mot} {de notre part|entre deux réunions|avant midi|du bureau}.|{Je vous écris|Un mot} {pour un détail|sur un point simple|pour une question}.}",
    "{{Merci|Merci beaucoup|Un grand merci} pour {votre {message|courriel|question|mot}|ce {message|mot|courriel}|ces {quelques |}lignes}.|{Votre {message|courriel}|Le {message|courriel}} {est bien arrivé|m'est bien parvenu}, merci{ beaucoup|}.|{Merci|Merci bien} de {votre attention|nous avoir écrit|penser à nous}.}",
    "{{Merci|Merci beaucoup|Un grand merci} pour {{votre|cette} réponse {rapide|claire|précise|utile|si prompte}|votre {retour|réponse}|ce retour {rapide|clair|utile}}.|{Votre|Cette} réponse {nous aide|est utile|tombe bien}, merci{ beaucoup|}.|{Voilà|C'est} {une réponse claire|un retour rapide}, merci{ beaucoup|}.}",
    "{{Parfait|Très bien|Entendu|Excellent|C'est noté|D'accord}, merci{| beaucoup}{| pour {ces précisions|votre retour|ces détails|l'information}}.|{Merci|Merci beaucoup|Un grand merci} pour {ces {précisions|détails}|votre {retour|message|réponse}}.|{Cela|Tout cela} {paraît|semble} {clair|très bien|simple}.}",
  ],
  closers: [
    "{{Dans l'attente de|J'attends avec plaisir} votre {réponse|retour|avis}.|{Merci|Merci beaucoup|Un grand merci} {d'avance|pour votre aide|de votre aide|pour votre temps}.|{Un mot|Une ligne|Une brève réponse} {suffira|suffit {tout à fait|largement}}.|{Dites-moi|Écrivez-moi} {simplement |seulement |}{ce qui convient|votre avis}.}",
    "{Si {quelque chose manque|un point reste flou|un détail échappe}, {écrivez-moi|prévenez-nous|appelez-nous}.|{N'hésitez pas à|Vous pouvez toujours} {m'écrire|nous écrire|demander} {au besoin|si nécessaire}.|{J'espère|Nous espérons} que {cela|cette réponse} vous {aide|convient|suffit}.|{Dans l'attente de|J'attends avec plaisir} votre {réponse|retour}.}",
    "{{Merci encore|Encore merci} {pour {votre aide|votre patience|le temps passé|votre soutien}|de {votre aide|votre attention}}.|{Travailler ainsi|Échanger avec vous} {est|reste} {un plaisir|très agréable|simple}.|{Cela|Votre aide} {nous a|m'a} {beaucoup|bien|vraiment} {servi|rendu service}.}",
    "{{Je vous souhaite|Nous vous souhaitons} une {bonne|belle|agréable|excellente} {journée|semaine|fin de {journée|semaine}}.|{Bonne|Belle|Excellente} {journée|semaine|fin de semaine} {à vous|à toute l'équipe|et à bientôt}.|{Bien des choses|Un bonjour|Nos salutations} {à votre équipe|à tous vos collègues|du bureau}.}",
  ],
  signOff:
    "{{Cordialement|Bien cordialement|Bien à vous|Très cordialement}|{Cordiales|Sincères|Meilleures} salutations|Avec mes {cordiales|sincères|meilleures} salutations},",
  days: "lundi|mardi|mercredi|jeudi|vendredi",
  times: "9 h|9 h 30|10 h|10 h 30|11 h|11 h 30|14 h|14 h 30|15 h|15 h 30|16 h",
  // Without the months before which the word "de" is shortened
  details: {
    room: "la salle 3|la salle 12|la salle bleue|la bibliothèque|la petite salle|la salle du jardin|la salle 21",
    month: "janvier|février|mars|mai|juin|juillet|septembre|novembre|décembre",
  },
};
