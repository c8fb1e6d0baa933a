import type { Scenario } from "./scenario.ts";

/** French conversations about orders, deliveries, documents and questions. */
export const FRENCH_PAPERS: readonly Scenario[] = [
  {
    name: "copy of an invoice",
    details: {},
    subject: "{Copie de la facture|Facture|Question sur la facture} [ref]",
    turns: [
      "En {classant|rangeant} les papiers de [month], {j'ai vu|nous avons vu} que la facture [ref] {manquait|n'y était pas}. {Pourriez-vous|Voudriez-vous} nous en {envoyer|adresser} {une copie|un double}, {en fichier|en simple scan} ? {Elle est demandée par|Elle est destinée à} {un service chez nous|un collègue}, mais {rien ne presse|cela peut attendre}.",
      "{Bien sûr|Volontiers}, la facture [ref] {est facile à retrouver|figure dans nos dossiers}. La copie {part|partira} {aujourd'hui|cet après-midi} {dans un message séparé|par un autre message}, depuis notre {système|service}. {Faut-il|Devons-nous} {aussi |}{ajouter|mettre en copie} {une autre personne|un second contact} {à l'avenir|pour les mois à venir} ?",
      "{La copie|Le numéro [ref]} {vient d'arriver|est bien là} et {se lit bien|paraît complet}. {Un second contact|Une autre adresse} {n'est pas nécessaire|serait inutile}, {une seule adresse|un seul nom} pour {les factures|ces papiers} {reste plus simple|est plus clair}. {Ainsi|Avec cela}, {le dossier|notre dossier} de [month] {peut être fermé|est complet}.",
      "{Tant mieux si la copie est arrivée|C'est bien que tout soit arrivé}. {Nous laissons|Je laisse} donc {l'adresse|les contacts} {sans changement|comme avant}. {Si|Au cas où} un autre papier de [month] {manque|venait à manquer}, {une ligne|un mot} avec {le numéro|son numéro} {suffit|suffira}, comme {cette fois|pour [ref]}.",
    ],
  },
  {
    name: "feedback on a draft",
    details: { draft: "la brochure|la notice|la note de synthèse|la fiche d'accueil|la présentation du projet" },
    subject: "{Projet de texte|Première version|Votre avis} : [draft]",
    turns: [
      "{La première version|Une première version} est {prête|écrite} : {il s'agit de|je parle de} [draft], {pour l'instant|actuellement} [count] pages. Avant {d'aller plus loin|la mise en page}, {votre avis|un regard extérieur} nous {aiderait|serait utile} : {le texte|l'ensemble} est-il {clair|facile à lire}, et que {faut-il|faudrait-il} {raccourcir|supprimer} ? {Quelques lignes|Deux mots} d'ici à [day] {suffisent|suffiront}.",
      "J'ai {lu|parcouru} [draft] {avec plaisir|deux fois|à tête reposée}. {L'ensemble|Le texte} est {clair|facile à suivre}, {surtout|en particulier} {le début|les premières pages}. {Vers le milieu|Au milieu}, {une page|un paragraphe} {pourrait|peut} {disparaître|sauter}, et {la fin|la dernière partie} {gagnerait à avoir|mérite} un exemple {simple|tiré du quotidien}.",
      "{Ce sont|Voilà} {de bonnes remarques|des remarques très utiles}. {La partie centrale|Cette partie} sera {plus brève|plus courte}, et un exemple {viendra|sera ajouté} {à la fin|dans la dernière partie}. {Pourriez-vous|Voudriez-vous} {relire|revoir} [draft] {ensuite|après cela}, {sans doute|probablement} [day] ?",
      "{Oui, avec plaisir|Bien sûr}, {envoyez-moi|envoyez-nous} la {nouvelle version|version corrigée}. [day] {tombe bien|convient|me va}, {j'ai|nous avons} {une heure calme|un moment libre|un peu de temps} {ce jour-là|l'après-midi|le matin}. {Nous avons hâte|L'équipe a hâte} de {voir|découvrir} comment se lit [draft] avec {l'exemple|les changements}.",
    ],
  },
  {
    name: "delivery date",
    details: { goods: "des boîtes pliantes|des lampes de bureau|des bacs de rangement|des bobines de câble|des étagères" },
    subject: "{Commande|Livraison de la commande} [ref]{| : date}",
    turns: [
      "{Puis-je demander|Pourriez-vous me dire|J'aimerais savoir} quel jour la commande [ref] {arrivera|sera livrée} ? {Elle comprend|Il s'agit d'une commande avec} [goods] pour {notre agence|le deuxième étage|le dépôt nord}, et {nous voulons|il faut} {prévoir|réserver} {une personne|quelqu'un} pour le {déchargement|chariot}.",
      "La commande [ref] est {emballée|prête} et {quitte|quittera} notre dépôt {la veille|un jour plus tôt} : {le tout|la livraison} {sera|devrait être} {chez vous|à votre porte} [day], {vers|autour de} [time]. {Le chauffeur|Le transporteur} {appellera|téléphonera} {une demi-heure|quelques minutes} avant. {Ce sont bien|Comme prévu, il y a} [goods].",
      "[day] vers [time] {convient|nous va} {très bien|parfaitement}. {Quelqu'un|Une personne} du dépôt {attendra|sera là} avec un {chariot|transpalette}. {Pourriez-vous|Voudriez-vous} dire au {chauffeur|transporteur} de {passer par|venir dans} {la cour|l'allée de derrière}, car {la porte de devant|l'entrée principale} est {trop étroite|un peu basse} pour {ces cartons|ce volume} ?",
      "{C'est transmis|Le message est passé} : {derrière|par l'arrière}, pas {devant|par l'entrée principale}. {Le|Notre} bon de livraison [ref] {se trouve|sera} {sur les cartons|avec les cartons} ; {votre signature|une signature} [day] est tout ce {qu'il nous faut|que nous demandons} {en retour|ensuite}.",
    ],
  },
  {
    name: "right contact",
    details: { field: "retours|papiers de douane|entretien du bâtiment|fiches techniques|formations" },
    subject: "{Contact|Le bon contact|Qui s'occupe de cela} : [field]",
    turns: [
      "{Je cherche|Nous cherchons} {la bonne personne|le bon contact} {chez vous|dans votre société} pour {ce sujet|ce domaine} : [field]. {Jusqu'ici|Jusqu'à présent}, nos messages {allaient|partaient} à {l'adresse générale|l'accueil}, ce qui {prend|demande} {parfois|souvent} {un jour ou deux|un peu de temps}. À qui {pouvons-nous|faut-il} écrire {directement|désormais} ?",
      "Pour {les questions sur|tout ce qui touche à} ce {domaine|sujet} (« [field] »), {écrivez-moi|adressez-vous à moi} {désormais|simplement}{ sans détour|} ; {je partage|nous partageons} {ce travail|cette tâche} avec une personne {du même bureau|juste à côté}. {Chaque|Le} [day], je suis {souvent|en général} {en déplacement|à l'extérieur}, mais les messages {sont lus|restent lus} {tous les jours|même alors}.",
      "{C'est|Ce sera} {bien plus simple|plus facile ainsi}. Votre nom {figure|est} {maintenant|désormais} dans notre liste sous « [field] », et {l'équipe des achats|le planning|l'équipe de nuit} {est prévenue|le sait}. Une {première|petite} question {suivra|viendra} {bientôt|ces jours-ci} : {un formulaire manquant|deux étiquettes|une vieille fiche}, {rien de compliqué|peu de chose}.",
      "{Envoyez|Écrivez} {donc |}{la question|tout} {quand vous voulez|dès que possible}. Pour le domaine « [field] », {une photo|un numéro} {aide|suffit} {souvent|d'ordinaire}, {s'il y en a|si vous en avez}. {La plupart des questions|Ces choses} {se règlent|trouvent réponse} {dans la journée|le jour même|en quelques lignes}.",
    ],
  },
  {
    name: "another entrance",
    details: {
      place: "la cour de la rue du Moulin|la rampe de l'allée du Parc|la porte de la rue de la Gare|la grille de la place de l'Église",
    },
    subject: "{Nouvelle entrée|Livraisons dès [month]|Où livrer}",
    turns: [
      "Dès [month], {toutes les livraisons|les livraisons} {pour notre maison|chez nous} {passeront|se feront} par [place], car {l'ancienne entrée|l'ancien quai} {sera|est} en travaux. {L'adresse postale|L'adresse du courrier} {reste|demeure} {la même|inchangée}. {Pourriez-vous|Voudriez-vous} {le noter|l'indiquer} {pour vos chauffeurs|dans le système} et me {dire|faire savoir} quand {c'est fait|ce sera fait} ?",
      "{C'est noté|C'est enregistré} : dès [month], [place], {y compris|aussi} pour les commandes {en cours|déjà passées}. Nos chauffeurs {demandent|aimeraient savoir} si un {long|grand} camion {peut y tourner|y passe}, ou si un {plus petit|véhicule court} {vaut mieux|serait préférable}.",
      "Un {long|grand} camion {passe|tourne} {bien|sans peine} ; {seulement,|mais} avant {neuf heures|huit heures et demie}, la place {est serrée|manque}, car {l'école|la boulangerie} {voisine|d'en face} {en a besoin|occupe la rue}. {Qui arrive|Un chauffeur qui vient} vers [time] {trouve|trouvera} {tout libre|un accès presque vide}.",
      "{C'est très utile|Voilà qui aide bien}. {Notre planning|Le planning} {porte|indique} maintenant « {après|pas avant} [time] » {à côté de l'adresse|sur la fiche}, {si bien que|et} {les camions|tous} {viendront|arriveront} {plus tard|aux heures calmes}. Tout est {donc|ainsi} prêt pour {le mois de |}[month].",
    ],
  },
  {
    name: "samples arrived",
    details: { sample: "le tissu gris|le carton épais|le feutre vert|le papier mat|le film clair" },
    subject: "{Vos échantillons|Échantillons|Les échantillons}{| de [month]| : [sample]}",
    turns: [
      "Le {colis|carton} d'échantillons est {bien|intact et bien} arrivé, {en tout|au total} [count] pièces. {À première vue|Pour l'instant}, [sample] nous plaît {le plus|beaucoup}. {Existe-t-il|Le faites-vous} {aussi|également} {dans une autre largeur|en plus grand format}, et combien de {temps|semaines} {pouvons-nous|peut-on} garder {les autres|le reste} ?",
      "{Tant mieux si|Quelle chance,} les [count] pièces {sont arrivées|sont là}. [sample] {existera|sera proposé}, dès [month], en deux {formats|largeurs}. {Gardez|Vous pouvez garder} {les autres|le reste} {aussi longtemps que nécessaire|tant que vous voulez} ; {personne ici n'en a besoin|cela ne manque à personne}.",
      "{C'est généreux|Quelle gentillesse}. {Nous poserons|Je mettrai} {les [count] pièces|tout} {près de la fenêtre|côte à côte} pendant {une semaine|quelques jours}, car {la lumière du jour|la lumière} {change|compte} {tout|beaucoup}. {Pourriez-vous|Voudriez-vous} {déjà |}noter {une pièce de plus|encore une pièce}, dans le {grand|plus grand} format ?",
      "{C'est noté|C'est sur ma liste} : une {grande pièce|pièce de plus}, avec {une étiquette|un petit mot}. Elle {partira|voyagera} {dans le prochain colis|avec le prochain envoi}, {sans doute|probablement} [day]. Prenez {tout |}votre temps pour {la comparaison|le reste}, {la lumière du jour|le plein jour} est le {meilleur|plus juste} {test|juge}.",
    ],
  },
  {
    name: "printed catalogue",
    details: { branch: "la salle d'exposition|le bureau d'accueil|la salle de formation|le coin lecture" },
    subject: "{Catalogue imprimé|Votre catalogue|Catalogues} pour [branch]",
    turns: [
      "Votre catalogue existe-t-il {encore|aussi} {sur papier|en version imprimée} ? À l'écran, il est {pratique|bien fait}, mais {ici|chez nous}, {beaucoup|la plupart} aiment {tourner de vraies pages|feuilleter le papier}. {Si oui|Dans ce cas}, [count] exemplaires {seraient|sont} {les bienvenus|bienvenus} pour [branch], même {ceux de l'an dernier|plus anciens}.",
      "Oui, {il existe|la version papier existe} et paraît {une fois|deux fois} par an, {la prochaine fois|de nouveau} en [month]. {Je peux|Nous pouvons} {envoyer|poster} [count] exemplaires {tout de suite|cette semaine} ou {bien |encore |}attendre que le {nouveau|suivant} {soit là|sorte} ; {que préférez-vous|qu'est-ce qui vous convient} ?",
      "{Nous attendrons|Mieux vaut attendre} {volontiers|un peu}, {ainsi|de cette façon} rien ne sera {dépassé|périmé} {trop vite|dans un mois}. {Notez|Prévoyez} {donc|s'il vous plaît} [count] exemplaires pour [branch], et {envoyez-les|postez-les} en [month] à {notre adresse habituelle|l'adresse connue}.",
      "[count] exemplaires pour [branch] {figurent|sont} maintenant sur {la liste|ma liste}. Dès que {l'imprimeur|l'imprimerie} {livrera|aura livré}, en [month], {votre colis|le paquet} partira {en premier|la même semaine}, avec {un index|une table} {à part|sur feuille libre} pour {chercher plus vite|s'y retrouver}.",
    ],
  },
  {
    name: "a form to fill in",
    details: { form: "la fiche fournisseur|la fiche de contact|la fiche de sécurité|la fiche du site|la fiche visiteur" },
    subject: "{Deux questions|Une question|Question} sur [form]",
    turns: [
      "Vous nous avez {demandé|priés} de {remplir|compléter} [form] {avant|d'ici à} [day]. {Presque tout|L'essentiel} est {clair|fait}, {seule|mais} la ligne {4|7|9|12} {reste floue|pose question} : {s'agit-il|parle-t-on} {du siège|de la maison mère} ou {de l'agence|de l'antenne} {locale|qui travaille avec vous}{ ici|} ? Une version {tapée|imprimée} {suffit-elle|convient-elle} ?",
      "{Il s'agit|On y parle} {bien|en fait} {de l'agence|de l'antenne}, {c'est-à-dire|donc} {du lieu|de l'adresse} d'où vous {livrez|travaillez pour nous}. Une version {tapée|imprimée} de [form] {convient|suffit} {très bien|parfaitement}, {un tampon est inutile|sans tampon ni encre}. {La|Cette} date de [day] {n'est qu'indicative|reste interne}.",
      "{Cela répond|Voilà qui répond} à {la question|tout}. {Je remplirai|Nous remplirons} [form] {ainsi|de cette manière}, et {le retour|le document} {partira|se fera} {quand même|de toute façon} {avant|d'ici à} [day], {ce sera fait|l'affaire sera réglée}. {Deux pages|Les deux pages} en un {seul |}fichier, {est-ce bien|cela convient-il} ?",
      "Un {seul|unique} fichier {est idéal|reste le mieux}, {ainsi|de la sorte} {aucune page ne se perd|rien ne s'égare}. {Dès que|Quand} [form] {sera là|arrivera}, {je confirmerai|nous confirmerons} {en une ligne|par un mot}, et votre société {sera|restera} {inscrite|enregistrée} pour {deux ans|les années à venir}.",
    ],
  },
  {
    name: "file format",
    details: { file: "plan d'étage|plan de coupe|plan de câblage|plan de perçage|plan de pose" },
    subject: "{Format du fichier|Votre fichier|Fichier} « [file] »",
    turns: [
      "{En ouvrant|En lisant} le fichier « [file] » de [day], {notre logiciel|le logiciel ici} {affiche|montre} {des pages vides|des signes étranges|une surface grise}. {Pourriez-vous|Voudriez-vous} {l'enregistrer|l'exporter} {encore une fois|à nouveau} dans un format {plus simple|plus ancien} ? {Une simple|N'importe quelle} {table|image} {suffira|conviendra} {pour notre usage|tout à fait}.",
      "Cela vient {d'un réglage|d'un nouveau réglage} {chez nous|ici} : le {nouveau|présent} logiciel {écrit|enregistre} dans {son propre format|un format {très|tout} récent}. {Le|Votre} fichier « [file] » {existe|est} maintenant {en double|en deux versions}, {une fois|d'abord} comme {simple table|texte brut} et {une fois|ensuite} comme {image|page à imprimer}. {Les deux partent|Tout partira} {dans l'heure|cet après-midi}.",
      "Les deux {versions|fichiers} s'ouvrent {sans peine|aussitôt}, et {la table|la première page} est {exactement|tout à fait} ce {qu'il nous fallait|que nous cherchions}. Une {petite|dernière} question {sur|concernant} {le fichier|votre fichier} « [file] » : les {chiffres|nombres} {de droite|du bord} sont-ils en {centimètres|mètres}, ou {dans une autre unité|en autre chose} ?",
      "{Ce sont|Ce sont bien} des millimètres, {partout|toujours}, et les {petits chiffres|chiffres gris} {ne servent qu'à nous|sont à usage interne}. {À l'avenir|Désormais}, {j'enverrai|nous enverrons} le fichier « [file] » {d'emblée|tout de suite} dans {le format simple|sa forme simple}, ce qui épargne {un détour|du temps} {à chacun|à tous}.",
    ],
  },
  {
    name: "wording of a translation",
    details: { text: "étiquette d'entretien|note de sécurité|bon d'emballage|notice courte|panneau d'entrée" },
    subject: "{Un mot de traduction|Traduction|Formulation} : [text]",
    turns: [
      "Nous avons fait traduire un {court texte|petit texte} ({sujet|titre} : [text]), et {deux|plusieurs} {personnes|collègues} {hésitent|discutent} sur {la deuxième|la dernière} phrase, {trop formelle|trop raide} {pour certains|aux yeux de certains}. {Vous connaissez|Votre équipe connaît} {les lecteurs|la clientèle} {là-bas|sur place} : {liriez-vous|pourriez-vous lire} ces [count] lignes {avant|d'ici à} [day] ?",
      "{Nous avons|J'ai} lu {le texte|vos lignes} à voix haute {au bureau|à midi}, {ce qui aide|et cela aide}. {La phrase|La seconde moitié} est {juste|correcte}, mais {un peu|plutôt} {raide|lourde} ; avec un {verbe|mot} plus {court|simple}, elle devient {plus aimable|plus naturelle}. {Les|Toutes les} autres des [count] lignes {peuvent rester|restent} {telles quelles|sans changement}.",
      "{Ce sera donc|Nous gardons} la version {courte|aimable}. {Nous changerons|Je changerai} le verbe et {imprimerons|ferons} {d'ici à|avant} [day] {un premier essai|une petite série}. {Pourrons-nous|Est-il possible de} {vous demander conseil|revenir vers vous} quand {un autre texte|un texte plus long} {arrivera|se présentera} ?",
      "{Bien sûr|Quand vous voudrez}, {lire|relire} [count] lignes {prend|demande} {très peu|bien peu} de temps. {C'était|Ce fut} {un plaisir|amusant} pour {tout le bureau|notre équipe}, et {chacun|tout le monde} {aimerait|voudrait} voir le {résultat|texte} {imprimé|sur papier} {après|passé} [day].",
    ],
  },
  {
    name: "quantity in an order",
    details: { ware: "poignées de porte|crochets|pieds de table|lampes de table|patères" },
    subject: "{Quantité de la commande|Commande|Correction de la commande} [ref]",
    turns: [
      "Dans {notre commande|la commande} [ref], {une erreur|une mauvaise quantité} s'est glissée : {nous avons écrit|il y est écrit|nous avons demandé} {deux|trois} fois plus de [ware] {que prévu|qu'il n'en faut}. {Le bon chiffre|La bonne quantité} {est|serait} de [count] {boîtes|cartons}. Est-il {encore|toujours} {possible|temps} de {corriger|changer} cela, ou le {travail|colisage} a-t-il {déjà |}commencé ?",
      "{Votre message|Ce message} arrive {à temps|assez tôt} : [ref] {est encore|se trouve encore} {en rayon|ici}. {C'est|Nous avons} {maintenant|donc} [count] cartons de [ware] ; {tout le reste|le reste} {ne change pas|demeure}, {y compris|même} la livraison de [day]. {Une nouvelle|La bonne} confirmation {suit|arrive} {par la poste|à part}.",
      "{Quel soulagement|C'est un soulagement}, {j'apprécie|nous apprécions} cette aide {rapide|si simple}. {L'ancienne|La première} confirmation de [ref] {sera jetée|ne compte plus}, et {nous attendons|j'attends} la {nouvelle|bonne}. {Autant de|Ces [count]} cartons de [ware] {tiennent|entrent} {juste|exactement} {sur l'étagère|à leur place}.",
      "{Cela arrive|Ces choses arrivent} à {tout le monde|chacun}, {rien de grave|rien n'est perdu}. {Le nouveau|Le bon} papier de [ref] {vient de partir|est parti ce matin} ; si la ligne {des quantités|du nombre} {paraît|semble} {encore|toujours} {étrange|fausse}, {appelez-nous|prévenez-moi} avant [day].",
    ],
  },
  {
    name: "return of pallets",
    details: { load: "palettes vides|caisses grillagées|caisses pliantes|bacs en plastique|cadres de transport" },
    subject: "{Enlèvement de [count]|[count]} [load]",
    turns: [
      "{Dans la cour|Derrière la halle}, [count] [load] {de votre stock|qui sont à vous} {attendent|sont là}, {au propre|au sec} et {en piles|en ordre}. Quel jour {quelqu'un|un chauffeur} {pourrait-il|peut-il} {les reprendre|les chercher}, {peut-être|par exemple} {lors d'une|avec une} {prochaine |}livraison ? [day], {la cour|la place} est libre {toute la journée|dès [time]}.",
      "[day] {tombe|se présente} bien : {notre grand|le deuxième} camion passe {près de chez vous|dans votre ville} {ce jour-là|à ce moment} et {peut prendre|a de la place pour} [count] [load]. {Il|Le chauffeur} sera {là|chez vous} vers [time]. {Y aura-t-il|Aurez-vous} {quelqu'un|une personne} {pour aider|avec un chariot} ?",
      "{Quelqu'un|Une personne} du dépôt {sera|reste} {de toute façon|toujours} {dans la cour|sur place}, et {le chariot|l'engin} {est chargé|fonctionne}. {Tout est|Les [load] sont} {attaché|en ordre} {par deux|sur deux rangs}, {le chargement|cela} {prendra|demande} {dix minutes|un quart d'heure}. {Le mieux serait|Il suffirait} {d'apporter|de prévoir} un reçu pour {les [count]|[count] pièces}.",
      "Le reçu {pour|des} [count] pièces est {déjà|bien} {dans la cabine|avec le chauffeur}. Sur deux rangs, {tout se charge|le chargement se fait} {vite|facilement}, {c'est bien pensé|c'est très attentionné}. Dès [month], {nous prévoyons|il y aura} {un jour fixe|une tournée régulière} pour {cela|ces retours}, {ce qui aidera|de quoi aider} {les deux côtés|tout le monde}.",
    ],
  },
  {
    name: "hours of the warehouse",
    details: { why: "de l'inventaire|du contrôle annuel|d'une réunion du personnel|d'un déplacement de rayons|d'un entretien" },
    subject: "{Vos horaires|Horaires du dépôt|Votre dépôt} de [day]",
    turns: [
      "{Un chauffeur|Quelqu'un} {nous a dit|a mentionné} que votre dépôt {fermait|fermerait} {plus tôt|à midi} [day], en raison [why]. {Est-ce exact|Est-ce bien le cas} ? {Un enlèvement|Notre passage} était prévu {vers|à} [time] ; {sinon|autrement}, {le camion|notre camion} {viendrait|passerait} [day2], avec les mêmes {papiers|documents}.",
      "Oui, {c'est exact|c'est bien cela} : en raison [why], {les portes|nos portes} {ferment|seront fermées} [day] {dès midi|l'après-midi}. [day2] est un jour {normal|ordinaire}, le camion {peut venir|est attendu} {sans souci|volontiers} à [time]. La marchandise {reste|attendra} {jusque-là|entre-temps} {au quai 3|au premier rang}.",
      "{Le camion|Notre camion} {viendra|passera} donc [day2] à [time]. Les papiers {portent|indiquent} {encore|toujours} {la date de |}[day] ; {est-ce un problème|cela gêne-t-il} {à l'entrée|pour vos équipes}, ou {une note|une mention} {au crayon|à la main} {suffit-elle|ira-t-elle} ? {Tout cela|Cela} {semble|représente} {beaucoup de|bien du} travail {chaque année|à chaque fois}.",
      "Une {note|mention} {à la main|au crayon} {suffit|suffira}, {l'entrée|l'équipe} {est prévenue|le sait}. {C'est|Oui, c'est} {toujours|chaque fois} une journée {longue|chargée}, mais [day2] tout {sera|redevient} {comme d'habitude|normal}, et vers [time] c'est {même |}{plutôt|assez} calme.",
    ],
  },
  {
    name: "photos of a project",
    details: { use: "le journal interne|le tableau d'affichage|une présentation interne|la revue annuelle|une affiche du couloir" },
    subject: "{Photos|Images} pour [use]",
    turns: [
      "{Pendant|Lors de} {notre projet|nos travaux} de [month], {l'un de vous|quelqu'un de votre équipe} a pris {de très belles|de jolies} photos. {Nous aimerions|Nous voudrions} en {montrer|utiliser} {deux|trois} pour [use] : {serait-ce|est-ce} possible, et quel nom {faut-il|devons-nous} {écrire|mettre} {dessous|à côté} ?",
      "{Bien sûr|Oui}, vous {pouvez|pouvez volontiers} {utiliser|prendre} {ces photos|ces images} pour [use], {l'équipe|tout le monde} {apprécie l'idée|s'en réjouit}. Elles ont été prises par {une personne|quelqu'un} {du planning|de l'atelier} ; le nom de {notre société|la maison} {suffit|suffira}. {Voulez-vous|Faut-il} des fichiers plus {grands|lourds} ?",
      "Des fichiers plus grands {seraient|sont} {les bienvenus|très utiles}, {surtout|en particulier} pour la photo {avec l'échelle|de la porte ouverte|des caisses bleues|de tout le groupe}. {Ce sera|Elle sera} {la première|la plus grande} {que l'on verra|de toutes}. {D'ici à|Avant} [day], {c'est|ce sera} {assez tôt|bien suffisant} pour [use].",
      "Les {grands fichiers|nouveaux fichiers} {seront|arriveront} {chez vous|dans votre boîte} {avant|d'ici à} [day]. {Toute l'équipe|Chacun} a {souri|bien souri} en {apprenant|entendant} {où iront les photos|où ces images seront vues}. {S'il|Si par chance il} reste {un exemplaire|une copie}, {nous l'afficherons|l'atelier l'accrochera} {près de la machine à café|au mur}.",
    ],
  },
  {
    name: "a short questionnaire",
    details: { topic: "emballages|bons de livraison|horaires du téléphone|pièces de rechange|fiches techniques" },
    subject: "{Quelques|Deux ou trois} questions : [topic]",
    turns: [
      "{Une fois|Deux fois} par an, nous demandons à {quelques|certains} {partenaires|contacts proches} ce qui {peut|pourrait} être {amélioré|mieux fait}. {Cette fois|En [month]}, {le thème est|il s'agit de ceci} : [topic], avec {seulement|juste} [count] questions {courtes|brèves}, {sans|et sans} notes. {Puis-je|Pouvons-nous} {envoyer|adresser} {la liste|la feuille}, et une réponse avant [day] {est-elle|serait-elle} {possible|réaliste} ?",
      "{Oui, envoyez-la|Volontiers}, nous aimons {donner notre avis|aider}. [count] questions {à ce sujet|là-dessus} ({[topic]|thème : [topic]}), {c'est faisable|cela se fait} avant [day], et {les collègues|ceux} {du dépôt|qui déballent} {ont|auront} {sûrement|aussi} {des choses|quelque chose} à dire. {Faut-il|Devons-nous} répondre {ensemble|sur une feuille} ou {chacun de son côté|séparément} ?",
      "{Ensemble|Sur une feuille}, {c'est très bien|ce sera parfait}, {comme cela vient|tout simplement} ; des mots {courts|sincères} {aident|servent} plus que de {longues|belles} phrases. {L'avis|Le regard} du dépôt {nous intéresse|compte} {le plus|beaucoup}, car {on y voit|là-bas, on voit} {les choses|le quotidien} de {près|plus près}. La feuille {arrive|suit} {tout de suite|cet après-midi}.",
      "{Entendu|C'est compris} : des mots {courts|sincères}, {une seule feuille|tous ensemble}. Elle {restera|sera} {sur la table|en salle de pause} jusqu'à [day], avec {un crayon|quelques crayons}, {pour que|afin que} {chacun|tout le monde} {ajoute|écrive} {une ligne|une idée} sur le thème « [topic] ». {Attendez-vous à|Prévoyez} {un dessin|un croquis} {ou deux|dans la marge}.",
    ],
  },
  {
    name: "logo for print",
    details: { thing: "les badges|le panneau de rue|les cartons d'invitation|le mur du salon|la pochette commune" },
    subject: "{Votre logo|Logo} pour [thing]",
    turns: [
      "Pour [thing], {nous voulons|nous aimerions} {imprimer|montrer} {votre logo|le logo de votre maison} {à côté|près} du nôtre. {Le fichier d'ici|Le fichier que j'ai} est {trop petit|peu net} : {pourriez-vous|voudriez-vous} {en envoyer|en fournir} {un plus grand|un autre, plus net,} avant [day], {si possible|de préférence} {aussi |}en noir ? {Bien entendu|Naturellement}, vous verrez {d'abord|avant tout} {une épreuve|un essai}.",
      "{Notre graphiste|La personne des archives} {a préparé|propose} trois versions : {en couleur|une en couleur}, {en noir|une noire} et {en blanc|une pour fond sombre}. Pour [thing], la version {noire|sobre} {convient|marche} {en général|souvent} le mieux. {Laissez|Gardez} {simplement|s'il vous plaît} {un peu d'espace|une marge} {autour|de chaque côté}.",
      "Tous les fichiers sont {nets|parfaits}, {un grand merci|bravo} {aux archives|à votre graphiste}. Pour [thing], {nous prenons|nous gardons} la version {noire|sobre}, avec {assez|beaucoup} d'espace {autour|de chaque côté}. L'épreuve {viendra|sera là} [day], {sur papier|en image} ; {pourriez-vous|voudriez-vous} {la relire|y jeter un œil} ?",
      "{Oui, avec plaisir|Certainement}, l'épreuve sera {regardée|vérifiée} {dès |}[day], et {la réponse|un retour} {suivra|partira} {le jour même|dans les heures qui suivent}. La version {noire|sobre} {était|est} {sûrement|sans doute} {le bon choix|la meilleure}. {Quand|Dès que} tout sera {imprimé|fini}, une photo {irait bien|trouvera sa place} {dans nos archives|à notre mur}.",
    ],
  },
  {
    name: "a milestone",
    details: { stage: "la phase d'essai|la première maquette|la migration des données|la semaine de test" },
    subject: "{Date|Calendrier|Échéance} : [stage]",
    turns: [
      "{Selon|D'après} notre {calendrier|planning}, [stage] {se termine|est prévue} [day], et {de notre côté|à ce jour} tout {va bien|avance comme prévu}. {Pouvez-vous|Pourriez-vous} {confirmer|me dire} que votre {partie|part} sera {prête|terminée} {d'ici là|à temps}, ou {faut-il|devons-nous} {plutôt |}{viser|prendre} [day2] ?",
      "{Notre partie|Le travail ici} {touche presque à sa fin|arrive à son terme}, il {manque|reste} {un contrôle|un dernier contrôle} {par la seconde équipe|à quatre yeux}. [day] {est|reste} {possible|un peu juste}, mais [day2] {personne n'aurait à|nul ne devrait} {courir|se hâter}, et [stage] {se ferait|se passerait} {au calme|proprement}.",
      "{La qualité|Le soin} {passe d'abord|vaut plus qu'un jour}, {prenons|gardons} donc [day2]. {Dans le planning|Sur le calendrier}, la date est {déjà |}{changée|à jour} ; les étapes {suivantes|qui suivent} {ne bougent pas|tiennent}, car {il y avait|nous avions} {une marge|un jour de réserve} {à cet endroit|prévu là}.",
      "C'est une {bonne|sage} {décision|solution}. {Le contrôle|La vérification} {commence|débute} {demain|tout de suite}, et [day2] vous {aurez|recevrez} {un mot|un message} {clair|court} sur [stage]. {La marge|Ce jour de réserve} {a été|reste} utile {une fois encore|finalement}.",
    ],
  },
  {
    name: "a spare part",
    details: { machine: "la presse à étiquettes|la machine à café|la coupeuse de papier|la table élévatrice|la laveuse de sol" },
    subject: "{Pièce de rechange|Une pièce|Une petite pièce} pour [machine]",
    turns: [
      "Sur [machine], {livrée|installée} par {vous|votre maison} {il y a quelques années|voici longtemps}, {un bouton|un levier|un petit axe} {est cassé|s'est détaché}. La plaque {indique|porte} {le type|le modèle} [ref]. {Pouvez-vous|Pourriez-vous} nous dire {quelle pièce|quel numéro} {il nous faut|demander}, et si nous {pouvons|saurons} faire le {travail|changement} {nous-mêmes|sur place} ?",
      "Avec {le type|le modèle} [ref], le dessin {a été|fut} {vite trouvé|facile à trouver}. La pièce {se trouve|est} {à l'extérieur|sur la face avant}, {deux|quatre} vis et {dix minutes|un peu de patience} {suffisent|suffiront}. Pour [machine], {il en reste une|nous en avons une} {en stock|en rayon} ; {faut-il|devons-nous} l'envoyer {par la poste|avec le prochain camion} ?",
      "{La poste|Un envoi postal} {suffit|convient} {tout à fait|très bien}, [machine] {marche|fonctionne} {encore|heureusement} {sans elle|malgré tout}. {Notre gardien|L'équipe technique} {la changera|fera l'échange} [day], quand {personne n'en a besoin|la salle est libre}. {Y a-t-il|Avez-vous} {un croquis|une page de notice} à {joindre|ajouter} {au colis|à l'envoi} ?",
      "{Un croquis|La page} {est|se trouve} {déjà |}{dans le colis|sous l'emballage}, {deux|quatre} vis {sont neuves|sont de réserve}. {Le tout|L'envoi} devrait {arriver|être là} avant [day]. {Si|Au cas où} {quelque chose|une vis} {coince|force} sur le {type|modèle} [ref], une goutte d'huile {aide|suffit} {en général|le plus souvent}.",
    ],
  },
  {
    name: "a manual",
    details: { device: "la badgeuse|la balance|la machine à affranchir|la tablette de salle|la plieuse" },
    subject: "{Notice|Mode d'emploi|Une notice} pour [device]",
    turns: [
      "Lors {du déménagement|d'un déménagement}, la notice de [device] {a disparu|s'est perdue}, {comme souvent|comme cela arrive}. En {auriez-vous|avez-vous} {encore|par hasard} {un exemplaire|une copie} {en fichier|sur papier}, {de préférence|si possible} {en deux langues|en mots simples} ? {Nous cherchons|Il nous faut} {surtout|avant tout} {la page|le passage} sur {le nettoyage|le réglage de l'heure|le changement de rouleau}.",
      "La notice de [device] existe en {quatre|cinq} langues ; la version {entière|complète} {part|vous parvient} {aujourd'hui|cet après-midi}. {Ce que vous cherchez|Le passage voulu} {se trouve|figure} à la page [count]. {Il y a|Nous avons} {aussi|en outre} {un aide-mémoire|une fiche} d'une page, que {beaucoup|la plupart} {accrochent|mettent} {à côté|au-dessus} : {est-ce|serait-ce} utile ?",
      "{Cette fiche|Une telle fiche} {serait|est} {idéale|parfaite} pour {le mur|les équipes}, {oui, volontiers|avec plaisir}. Grâce à la page [count], {le bureau|notre équipe} a {entre-temps|déjà} tout {réglé|trouvé}, et {personne|nul ici} n'a eu à {chercher|deviner} {longtemps|trop}. [device] {marche|fonctionne} {de nouveau|comme au premier jour}.",
      "La page [count] est celle que {presque tous|beaucoup} {demandent|cherchent}. La fiche {est partie|voyage} {par la poste|avec le courrier du matin}, sur {papier fort|carton épais}, {pour durer|afin de tenir} {des années|longtemps} {près de l'appareil|au mur}. {Un second exemplaire|Une autre copie} {se demande|peut s'obtenir} {à tout moment|quand vous voulez}.",
    ],
  },
  {
    name: "text of labels",
    details: { label: "Fragile, porter à deux|Garder au sec|Ce côté en haut|Ouvrir à gauche|Retours à trier" },
    subject: "{Étiquettes|Texte des étiquettes|Une étiquette} : « [label] »",
    turns: [
      "Les étiquettes des {rayons|caisses} {partent|vont} {à l'impression|chez l'imprimeur} [day]. {La vôtre|Celle de vos produits} {porte|dit} « [label] » en lettres {noires|bleu foncé|vert foncé}, {environ|sur} [count] centimètres de {large|long}. {L'ensemble|Le résultat} {vous va-t-il|convient-il}, ou {faut-il|devons-nous} {changer|revoir} {quelque chose|un mot} ?",
      "{Le texte|L'énoncé} et {la taille|la largeur} {sont bons|conviennent}, [count] centimètres {se lisent|se voient} {de loin|d'un bout à l'autre}. {Seule|Juste} la couleur {pourrait|devrait} être plus {vive|claire} : {notre dépôt|la préparation} {travaille|se fait} souvent {avec peu de lumière|dans la pénombre}, et « [label] » {doit|devrait} y {sauter aux yeux|se voir} {aussitôt|d'abord}.",
      "{Bonne remarque|C'est juste}, {personne n'y avait pensé|nous n'y avions pas songé}. « [label] » {sera|paraîtra} donc en lettres {blanches|claires} sur fond {sombre|bleu nuit}, {toujours|encore} [count] centimètres. {Sans avis contraire|Si rien ne s'y oppose}, {tout part|le texte part} {ainsi|sous cette forme} {à l'impression|chez l'imprimeur} [day].",
      "{Aucune objection|Rien à redire}, {bien au contraire|au contraire} : {les lettres claires|des lettres blanches}, {le dépôt|l'équipe} {en rêvait|les attendait} {depuis longtemps|depuis des mois}. « [label] » {peut|pourra} donc {partir|aller} à l'impression [day]. {Mettez|Gardez} {s'il vous plaît|pour nous} {dix|quelques} étiquettes {de plus|de côté}, {le tiroir est toujours vide|il en manque toujours}.",
    ],
  },
];
