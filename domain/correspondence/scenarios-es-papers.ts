import type { Scenario } from "./scenario.ts";

/** Spanish conversations about orders, deliveries, documents and questions. */
export const SPANISH_PAPERS: readonly Scenario[] = [
  {
    name: "copy of an invoice",
    details: { office: "contabilidad|archivo|asesoría fiscal|la central|auditoría" },
    subject: "{Copia de la factura|Factura|Duda sobre la factura} [ref]",
    turns: [
      "Al {ordenar|archivar} los papeles de [month] {he visto|hemos visto} que {falta|no aparece} la factura [ref]. ¿{Podría|Le importaría} {enviarnos|mandarnos} {una copia|otra copia}, {en archivo|en un simple escaneo}? {Nos la pide|La necesita} {un departamento|la oficina} ([office]), pero {no corre prisa|sin prisa alguna}.",
      "{Claro que sí|Con mucho gusto}, la factura [ref] {está|aparece} {en nuestros archivos|en nuestro sistema}. La copia {sale|saldrá} {hoy|esta tarde} {en un correo aparte|en otro correo}, desde {el sistema|administración}. ¿{Añadimos|Ponemos} {también|además} {a otra persona|un segundo contacto} {en copia|en la lista} {para el futuro|para los próximos meses}?",
      "La copia {acaba de llegar|ya llegó} y {se lee bien|está completa}. {Otra dirección|Un segundo contacto} no {hace falta|sería útil}, tener {una sola dirección|un solo nombre} para {facturas|estos papeles} es más {sencillo|claro}. {Con eso|Así} {la carpeta|nuestra carpeta} de [month] {queda completa|puede cerrarse}.",
      "{Me alegra que llegara|Qué bien que llegó}. {Dejo|Dejamos} entonces {la dirección|el contacto} {como está|sin cambios}. Si {falta|faltara} {otro papel|algo más} de [month], {basta|es suficiente} {una línea|un mensaje} con {el número|su número}, {como esta vez|igual que con la [ref]}.",
    ],
  },
  {
    name: "feedback on a draft",
    details: { draft: "el folleto|el plan del proyecto|la guía de uso|el informe breve|el cuaderno de bienvenida" },
    subject: "{Borrador|Su opinión|Primera versión}: [draft]",
    turns: [
      "{Ya está listo|Está escrito} {el primer|un primer} borrador ({[draft]|en concreto, [draft]}), {de momento|por ahora} con [count] páginas. Antes de {seguir|maquetarlo}, nos {ayudaría|vendría bien} {su opinión|una mirada de fuera}: ¿{es claro|se lee bien}, y qué {acortaría|quitaría}? {Bastan|Son suficientes} unas líneas antes del [day].",
      "{He leído|Hemos leído} el borrador ([draft]) {con gusto|dos veces|con calma}. {Todo|El texto} {es claro|se entiende bien}, {sobre todo|en especial} {el principio|las primeras páginas}. {Hacia la mitad|En el centro} {sobra|podría quitarse} {una página|algún párrafo}, y {el final|la última parte} {pide|necesita} un ejemplo {sencillo|del día a día}.",
      "{Son|Nos da} {buenos consejos|ideas muy útiles}. {La mitad|La parte central} {será|quedará} {más corta|más breve}, y {al final|en la última parte} {habrá|pondremos} un ejemplo. ¿{Podría|Querría} {mirar|leer} [draft] {otra vez|de nuevo} {entonces|después}, {seguramente|probablemente} el [day]?",
      "{Sí, con gusto|Claro}, {mándeme|mándenos} {la versión nueva|los cambios}. El [day] {viene bien|conviene}, {tengo|tenemos} {una hora tranquila|un rato libre} {ese día|por la tarde}. {Tengo|Tenemos} {ganas|curiosidad} de ver cómo {se lee|queda} [draft] con {el ejemplo|los cambios}.",
    ],
  },
  {
    name: "delivery date",
    details: { goods: "cajas plegables|lámparas de mesa|cubetas de almacén|bobinas de cable|estanterías" },
    subject: "{Pedido|Entrega del pedido} [ref]{|: [goods]}",
    turns: [
      "{¿Puedo preguntar|¿Podría decirme} qué día {llega|se entrega} {nuestro pedido|el pedido} [ref]? {Se trata de|Son} [goods] para {la sucursal|el segundo piso|el almacén norte}, y {queremos|nos conviene} {reservar|prever} {a una persona|a alguien} para {la descarga|el montacargas}.",
      "El pedido [ref] {está embalado|está listo} y {sale|saldrá} {la víspera|el día anterior} de {nuestro almacén|aquí}: las [goods] {llegarán|deberían llegar} el [day], {hacia|alrededor de} las [time]. {El conductor|El transportista} {llamará|avisa} {media hora|unos minutos} antes {por teléfono|sin falta}.",
      "El [day] hacia las [time] {nos va|encaja} {muy bien|perfectamente}. {Alguien del almacén|Una persona} {esperará|estará} con {una carretilla|un carro}. ¿{Podría|Puede} decir al {conductor|transportista} que {entre por|venga por} {el patio|la parte de atrás}, {porque|ya que} la puerta {principal|de delante} es {demasiado|algo} estrecha para las [goods]?",
      "{Ya está dicho|Queda avisado}: {por detrás|por la parte de atrás}, no {por delante|por la puerta principal}. {El|Nuestro} albarán del [ref] {va|viaja} {encima de las cajas|con la mercancía}; {una firma|su firma} el [day] es todo lo que {necesitamos|hace falta} {de vuelta|después}.",
    ],
  },
  {
    name: "right contact",
    details: { field: "devoluciones|papeles de aduana|mantenimiento|fichas técnicas|formaciones" },
    subject: "{Contacto|La persona adecuada|Quién lo lleva}: [field]",
    turns: [
      "{Busco|Buscamos} a la persona {adecuada|indicada} {en su empresa|en su casa} para {este tema|este asunto}: [field]. {Hasta ahora|Hasta hoy} {escribíamos|nuestros correos iban} a {la dirección general|recepción}, {y eso|lo que} {tarda|lleva} {un día o dos|algo de tiempo}. ¿A quién {podemos|debemos} {escribir|preguntar} {directamente|en adelante}?",
      "Para {dudas|preguntas} de este tipo ([field]), {escríbame|diríjase} {directamente a mí|sin rodeos}; {comparto|compartimos} {el trabajo|la tarea} con otra persona {del mismo despacho|de al lado}. Los [day] {suelo estar|estoy casi siempre} {de viaje|fuera}, pero los correos se {leen|atienden} {cada día|también entonces}.",
      "Eso {lo hace|lo deja} {mucho más fácil|más sencillo}. {Su nombre|Su dirección} {figura|está} {ya|ahora} en nuestra lista ({apartado|tema}: [field]), y {compras|planificación|el turno de noche} {lo sabe|tiene aviso}. {Pronto|En unos días} {llegará|irá} una primera {duda|pregunta}: {falta un formulario|son dos etiquetas|es una ficha antigua}, {nada difícil|poca cosa}.",
      "{Mande|Envíe} {la pregunta|la duda} {cuando quiera|sin reparo}. {En el tema|Para el tema} «[field]» {suele ayudar|ayuda mucho} {una foto|un número}, {si lo hay|si lo tienen a mano}. {Casi todo|La mayoría} se {resuelve|aclara} {en el día|el mismo día|en pocas líneas}.",
    ],
  },
  {
    name: "another entrance",
    details: {
      place:
        "el patio de la calle del Molino|la rampa de la calle del Parque|el portón de la calle de la Estación|la puerta de la plaza de la Iglesia",
    },
    subject: "{Nueva entrada|Entregas desde [month]|Dónde entregar}",
    turns: [
      "Desde [month], {todas las entregas|las entregas} {a nuestra casa|para nosotros} {van|se harán} por [place], {porque|ya que} {la antigua entrada|el antiguo muelle} {estará|está} en obras. La dirección postal {sigue siendo|es} {la misma|igual}. ¿{Podría|Puede} {anotarlo|cambiarlo} {para los conductores|en el sistema} y {avisarme|decirme} cuando {esté hecho|quede hecho}?",
      "{Queda anotado|Ya está apuntado}: desde [month], [place], también para los pedidos {abiertos|en curso}. {Nuestros|Los} conductores {preguntan|quieren saber} si allí {puede girar|cabe} un camión {largo|grande}, o si {es mejor|conviene} {uno más pequeño|un vehículo corto}.",
      "Un camión {largo|grande} {cabe|gira} {bien|sin problema}; {solo|únicamente} antes de las {nueve|ocho y media} {hay poco sitio|está lleno}, porque {la escuela|la panadería} {de al lado|de enfrente} {necesita|ocupa} {la calle|el espacio}. Quien {llega|viene} hacia las [time] {encuentra|tiene} {todo libre|el paso casi vacío}.",
      "{Es bueno saberlo|Eso nos ayuda mucho}. {En planificación|Nuestra oficina} {han puesto|ha puesto} {ya |}«{a partir de|no antes de} las [time]» {junto a la dirección|en la ficha}, {así|de modo que} {los camiones|todos} {irán|llegarán} {más tarde|en horas tranquilas}. Para [month] {todo está listo|queda todo preparado}.",
    ],
  },
  {
    name: "samples arrived",
    details: { sample: "la tela gris|el cartón grueso|el fieltro verde|el papel mate|la lámina clara" },
    subject: "{Sus muestras|Muestras|Las muestras}{| de [month]|: [sample]}",
    turns: [
      "{La caja|El paquete} de muestras {ha llegado|llegó} {bien|en buen estado}, {en total|en conjunto} [count] piezas. {A primera vista|De momento} lo que más {nos gusta|gusta aquí} es [sample]. ¿{Existe|Lo hacen} {también|además} {en otra anchura|en tamaño más grande}, y cuántas semanas {podemos|se pueden} {guardar|conservar} {las demás|las otras}?",
      "{Qué bien que|Me alegra que} {llegaran|estén ahí} las [count] piezas. Desde [month], [sample] {vendrá|saldrá} en dos {tamaños|anchuras}. {Guarden|Pueden guardar} {las demás|el resto} {el tiempo que haga falta|mientras quieran}; {aquí no hacen falta|nadie las echa de menos}.",
      "{Es muy generoso|Qué amabilidad}. {Pondremos|Colgaremos} {todas|las [count] piezas} {junto a la ventana|una al lado de otra} {una semana|unos días}, {porque|ya que} la luz {del día|natural} {cambia|importa} {mucho|bastante}. ¿{Podría|Puede} {apuntar|anotar} {ya|mientras tanto} {una pieza más|otra pieza}, en el tamaño {grande|mayor}?",
      "{Queda apuntada|Está anotada}: {una pieza|una muestra} grande, con {una etiqueta|una nota}. {Irá|Viaja} {en el próximo paquete|con el próximo envío}, {seguramente|probablemente} el [day]. {Tómense|Dense} {el tiempo|todo el tiempo} para {comparar|el resto}, {la luz del día|la luz natural} {es|sigue siendo} {la mejor|la más justa} {prueba|medida}.",
    ],
  },
  {
    name: "printed catalogue",
    details: { branch: "la sala de muestras|la recepción|la sala de formación|la oficina de obra|el rincón de lectura" },
    subject: "{Catálogo impreso|Su catálogo|Catálogos} para [branch]",
    turns: [
      "¿{Existe|Sigue existiendo} su catálogo {en papel|en versión impresa}? En pantalla {es práctico|está bien}, pero {aquí|en esta casa} {muchos|la mayoría} {prefieren|prefiere} {pasar páginas|el papel}. {Si es así|En ese caso}, nos {vendrían bien|gustaría tener} [count] ejemplares para [branch], {aunque sean|incluso} {antiguos|del año pasado}.",
      "Sí, {existe|la edición en papel existe}, {sale|aparece} {una vez|dos veces} al año, {la próxima|de nuevo} en [month]. {Puedo|Podemos} {enviar|mandar} [count] ejemplares {ya mismo|esta semana} o {esperar|aguardar} a que {salga el nuevo|esté el nuevo}; ¿qué {prefieren|les conviene}?",
      "{Esperamos|Preferimos esperar} {con gusto|un poco}, así {nada|ningún ejemplar} {queda|estará} {anticuado|superado} {en un mes|tan pronto}. {Apunte|Anote} {por favor|entonces} [count] ejemplares para [branch] y {envíelos|mándelos} en [month] a {la dirección de siempre|nuestra dirección conocida}.",
      "[count] ejemplares para [branch] {están|quedan} {ya|ahora} en {la lista|mi lista}. En cuanto la imprenta {entregue|termine}, en [month], {su paquete|el paquete} {saldrá|irá} {el primero|la misma semana}, con {un índice|una tabla} {aparte|en hoja suelta} para {buscar|encontrar todo} {más rápido|con facilidad}.",
    ],
  },
  {
    name: "a form to fill in",
    details: { form: "la ficha de proveedor|la hoja de contacto|la ficha de seguridad|la ficha del centro|la hoja de visitas" },
    subject: "{Dos dudas|Una duda|Dudas} sobre [form]",
    turns: [
      "Nos {pidieron|han pedido} {rellenar|completar} [form] antes del [day]. {Casi todo|Prácticamente todo} {está claro|está hecho}, {solo|únicamente} {la línea|la casilla} {4|7|9|12} {nos deja dudas|no se entiende}: ¿{se refiere|va referida} a la {central|sede} o {al centro|a la sucursal} {de aquí|de su zona}? ¿{Sirve|Vale} {también|además} una versión {impresa|a máquina}?",
      "{Se refiere|Ahí se refiere} {a la sucursal|al centro}, es decir, {el lugar|la dirección} desde donde {entregan|trabajan con nosotros}. Una versión {impresa|a máquina} de [form] {vale|sirve} {perfectamente|sin problema}, {no hace falta sello|el sello no es necesario}. El [day] es {solo|más bien} una fecha {orientativa|interna}.",
      "Eso lo {aclara|explica} {todo|muy bien}. {Rellenaré|Rellenaremos} [form] {así|de esa manera}, y {la devolución|el envío} {será|llegará} {igualmente|de todos modos} antes del [day], {así queda hecho|y asunto terminado}. ¿{Están bien|Valen} dos páginas en {un solo|un único} archivo?",
      "Un {solo|único} archivo es {lo mejor|ideal}, así no se {pierde|extravía} {ninguna página|nada}. {En cuanto|Cuando} [form] {llegue|esté aquí}, lo {confirmaré|confirmaremos} {con una línea|brevemente}, y su empresa {quedará|estará} {inscrita|registrada} {dos años|para los próximos años}.",
    ],
  },
  {
    name: "file format",
    details: { file: "plano de planta|plano de corte|plano de cableado|plano de montaje" },
    subject: "{Formato del archivo|Su archivo|Archivo} «[file]»",
    turns: [
      "Al {abrir|leer} el archivo «[file]» del [day], {nuestro programa|el programa de aquí} {muestra|enseña} {páginas vacías|signos extraños|solo una mancha gris}. ¿{Podría|Puede} {guardarlo|exportarlo} {otra vez|de nuevo} en un formato más {sencillo|antiguo}? {Una simple|Cualquier} {tabla|imagen} {basta|sirve} para {lo que necesitamos|nuestro uso}.",
      "{Se debe|Eso se debe} a {un ajuste|un ajuste nuevo} {de aquí|nuestro}: el programa {nuevo|actual} {guarda|escribe} en {su propio formato|un formato {muy|bastante} reciente}. {El|Su} archivo «[file]» {está|existe} {ahora|ya} {por duplicado|en dos versiones}, {una|primero} como {tabla simple|texto plano} y {otra|luego} como {imagen|página para imprimir}. {Ambas|Las dos} salen {en una hora|esta tarde}.",
      "{Las dos|Ambas} versiones se abren {sin problema|enseguida}, y {la tabla|la primera} es {justo|exactamente} lo que {necesitábamos|buscábamos}. Una {duda|pregunta} {pequeña|más} sobre el archivo «[file]»: ¿los números {de la derecha|del borde} {están|van} en {centímetros|metros} o en {otra unidad|otra cosa}?",
      "{Son|Siempre son} milímetros, {en todo el plano|en todas partes}, {y|pero} los números {pequeños|grises} {son|sirven} solo para {uso interno|nosotros}. {En adelante|Desde ahora} {enviaremos|guardaremos} el archivo «[file]» {desde el principio|directamente} en {el formato sencillo|su forma sencilla}, {lo que ahorra|y eso ahorra} {un rodeo|tiempo} a {todos|las dos partes}.",
    ],
  },
  {
    name: "wording of a translation",
    details: { text: "etiqueta de cuidado|aviso de seguridad|hoja de embalaje|guía breve|cartel de la puerta" },
    subject: "{Una palabra|Traducción|Redacción}: [text]",
    turns: [
      "Hemos {mandado traducir|hecho traducir} un texto {corto|breve} ({tema|título}: [text]), y {dos|varias} personas {dudan|discuten} sobre la {segunda|última} frase, {demasiado formal|muy rígida} {para algunos|según algunos}. {Usted conoce|Su equipo conoce} a {los lectores|la clientela} {de allí|de su zona}: ¿{leería|podría leer} las [count] líneas antes del [day]?",
      "{Hemos leído|He leído} {el texto|sus líneas} en voz alta {en la oficina|a mediodía}, {y eso|lo que} {ayuda|aclara}. {La frase|La segunda mitad} es {correcta|exacta}, pero {algo|un poco} {rígida|pesada}; con un verbo más {corto|simple} {suena|queda} {más amable|más natural}. Las demás de las [count] líneas {pueden quedar|se quedan} {como están|sin tocar}.",
      "Entonces {gana|elegimos} la versión {corta|amable}. {Cambiaremos|Cambiamos} el verbo e {imprimiremos|haremos imprimir}, antes del [day], {una primera prueba|una serie pequeña}. ¿{Podremos|Nos permite} {volver a preguntar|acudir otra vez} cuando {llegue|tengamos} {otro texto|un texto más largo}?",
      "{Por supuesto|Cuando quiera}, {leer|repasar} [count] líneas {lleva|cuesta} {muy poco|apenas} tiempo. {Fue|Ha sido} {un gusto|divertido} para {toda la oficina|nuestro equipo}, y {aquí |}nos gustaría {a todos|mucho} ver el {resultado|texto} {impreso|en papel} después del [day].",
    ],
  },
  {
    name: "quantity in an order",
    details: { ware: "manillas|ganchos de pared|patas de mesa|interruptores|percheros" },
    subject: "{Cantidad del pedido|Pedido|Corrección del pedido} [ref]",
    turns: [
      "En {nuestro pedido|el pedido} [ref] {se coló|hay} una cantidad {equivocada|antigua}: {pusimos|aparece} el doble de [ware] de lo {necesario|previsto}. {Lo correcto|La cifra correcta} {son|serían} [count] cajas. ¿{Se puede|Es posible} {todavía|aún} {cambiarlo|corregirlo}, o ya {empezó|ha empezado} {el trabajo|la preparación}?",
      "{Su correo|El aviso} llega {a tiempo|pronto}: el [ref] {sigue|está todavía} {en la estantería|aquí}. {Ahora son|Ya son} [count] cajas de [ware]; {lo demás|el resto} {no cambia|sigue igual}, {también|incluida} la entrega del [day]. La confirmación {nueva|corregida} {va|llegará} {por correo postal|aparte}.",
      "{Qué alivio|Es un alivio}, {agradezco|agradecemos} esa ayuda {rápida|tan sencilla}. La confirmación {antigua|primera} del [ref] {va a la papelera|ya no cuenta}, y {esperamos|espero} la {nueva|correcta}. {Tantas|Esas [count]} cajas de [ware] {caben|entran} {justo|exactamente} {en el estante|en su sitio}.",
      "{Le pasa|Eso le pasa} a {cualquiera|todo el mundo}, {no se ha perdido nada|no es grave}. El papel {nuevo|correcto} del [ref] {acaba de salir|salió esta mañana}; si la línea de {cantidades|unidades} {sigue|parece} {rara|mal}, {llame|avise} {brevemente |}antes del [day].",
    ],
  },
  {
    name: "return of pallets",
    details: { load: "palés vacíos|contenedores plegables|carros de transporte|bastidores|cajones de malla" },
    subject: "{Recogida de [count]|[count]} [load]",
    turns: [
      "{En el patio|Detrás de la nave} {hay|tenemos} [count] [load] de {su almacén|ustedes}, {limpios|apilados} y {secos|listos}. ¿Qué día {podría|puede} {recogerlos|llevárselos} {alguien|un conductor}, {quizá|por ejemplo} {junto con|al hacer} {la próxima|una} entrega? El [day] {el patio|el sitio} está libre {todo el día|desde las [time]}.",
      "El [day] {viene|encaja} {bien|muy bien}: nuestro camión {grande|segundo} pasa {cerca de ustedes|por su ciudad} {ese día|a esa hora} y {tiene sitio|hay espacio} para [count] [load]. {Llegará|Estará allí} hacia las [time]. ¿Habrá {alguien|una persona} {para ayudar|con una carretilla}?",
      "{Alguien|Una persona} del almacén {estará|se queda} {de todos modos|siempre} {en el patio|allí}, y la carretilla {está cargada|funciona}. Los [load] están {atados|colocados} {en dos filas|de dos en dos}, {cargarlos|la carga} {lleva|tarda} {diez minutos|un cuarto de hora}. {Lo mejor sería|Bastaría} {traer|preparar} un recibo por {los [count]|[count] piezas}.",
      "El recibo {por|de} las [count] piezas {está|va} {ya|ahora} {en la cabina|con el conductor}. En dos filas los [load] se {cargan|mueven} {rápido|con facilidad}, {bien pensado|qué buen detalle}. Desde [month] {habrá|planeamos} {un día fijo|una ruta regular} para {eso|estas devoluciones}, {lo que ayuda|una ayuda} a {ambas partes|todos}.",
    ],
  },
  {
    name: "hours of the warehouse",
    details: { why: "inventario|la revisión anual|una reunión de personal|un traslado de estantes|mantenimiento" },
    subject: "{Su horario|Horario del almacén|Su almacén} del [day]",
    turns: [
      "{Un conductor|Alguien} nos {dijo|contó} que su almacén {cierra|cerraba} {antes|a mediodía} el [day] por [why]. ¿{Es así|Es correcto}? {Había prevista|Teníamos} una recogida {hacia|a} las [time]; {si no|en ese caso}, {la furgoneta|el camión} {iría|pasaría} el [day2], con los mismos {papeles|documentos}.",
      "Sí, {es así|es correcto}: por [why], {las puertas|nuestras puertas} {cierran|estarán cerradas} el [day] {desde mediodía|por la tarde}. El [day2] es un día {normal|corriente}, y el vehículo {puede|podrá} {venir|entrar} {sin problema|tranquilamente} a las [time]. La mercancía {queda|espera} {hasta entonces|mientras tanto} {en el muelle 3|en la primera fila}.",
      "{Entonces|En ese caso} {iremos|el vehículo irá} el [day2] a las [time]. En los papeles {pone|figura} {todavía|aún} el [day]; ¿es {un problema|un obstáculo} {en la puerta|para su equipo}, o {basta|vale} una nota {a lápiz|a mano}? {Todo eso|Eso} {suena a|supone} {mucho|bastante} trabajo {cada año|cada vez}.",
      "Una nota {a mano|a lápiz} {basta|vale}, {en la puerta|en el almacén} {ya lo saben|están al tanto}. {Es|Sí, es} {siempre|cada vez} un día {largo|lleno}, pero el [day2] {todo irá|todo vuelve a ir} {como siempre|con normalidad}, y {hacia|sobre} las [time] {suele haber|hay} {bastante|mucha} calma.",
    ],
  },
  {
    name: "photos of a project",
    details: { use: "la revista interna|el tablón|una charla interna|el resumen del año|un cartel del pasillo" },
    subject: "{Fotos|Imágenes} para [use]",
    turns: [
      "Durante {el trabajo|nuestro proyecto} de [month] {alguien de su equipo|una persona de su casa} {hizo|sacó} {fotos muy bonitas|muy buenas fotos}. {Nos gustaría|Quisiéramos} {usar|mostrar} {dos|tres} de ellas en [use]: ¿{sería|es} posible, y qué nombre {ponemos|debe ir} {debajo|al lado}?",
      "{Claro que sí|Naturalmente}, {pueden|podrán} {usar|tomar} {las fotos|esas imágenes} para [use], {el equipo|la gente} {se alegra|está de acuerdo}. Las {hizo|sacó} {alguien|una persona} {de planificación|del taller}; {basta|es suficiente} el nombre de {nuestra|la} empresa. ¿{Necesitan|Quieren} archivos más {grandes|nítidos}?",
      "{Nos vendrían|Nos irían} {muy bien|de maravilla} archivos {más|algo más} grandes, {sobre todo|en especial} de la foto {con la escalera|de la puerta abierta|de las cajas azules|de todo el grupo}. {Será|Esa será} {la primera|la más grande} {que se vea|de todas}. Para [use] {basta|es suficiente} {tenerlos|recibirlos} antes del [day].",
      "Los archivos {grandes|nuevos} {estarán|van a estar} {con ustedes|en su buzón} antes del [day]. {Todo el equipo|Todo el mundo} {sonrió|se alegró} al {oír|saber} {adónde van|dónde se verán} {las fotos|las imágenes}. Si {sobra|queda} {un ejemplar|una copia}, {aquí|en el taller} {irá|tendrá sitio} {junto a la cafetera|en la pared}.",
    ],
  },
  {
    name: "a short questionnaire",
    details: { topic: "embalajes|albaranes|horario telefónico|repuestos|fichas técnicas" },
    subject: "{Algunas|Unas pocas} preguntas: [topic]",
    turns: [
      "{Una vez|Dos veces} al año preguntamos a {algunas|unas pocas} empresas {amigas|que conocemos bien} qué {se puede|podríamos} mejorar. {Esta vez|En [month]} {el tema es|toca lo siguiente}: [topic], {solo|apenas} [count] preguntas {cortas|breves}, {sin|y sin} {notas|puntos}. ¿{Puedo|Podemos} {enviar|mandar} {la hoja|la lista}, y {es|sería} {posible|realista} una respuesta antes del [day]?",
      "{Sí, con gusto|Mándenla, por favor}, nos gusta {opinar|ayudar}. [count] preguntas ({tema|asunto}: [topic]) {se pueden|las podemos} {contestar|responder} antes del [day], y {las personas del almacén|quienes desembalan} {tienen|tendrán} {seguro|también} {algo|cosas} que decir. ¿{Respondemos|Contestamos} {juntos|en una hoja} o {cada uno por su lado|por separado}?",
      "{Juntos|En una hoja} {está muy bien|es lo mejor}, {tal como salga|sin formalidades}; las {notas|palabras} {cortas|sinceras} {ayudan|sirven} más que las frases {largas|bonitas}. {La opinión|La mirada} del almacén {nos interesa|cuenta} {mucho|más que nada}, {porque|ya que} allí {se ve|conocen} {el día a día|cada detalle} {de cerca|mejor}. La hoja {va|sale} {enseguida|esta tarde}.",
      "{Entendido|De acuerdo}: notas {cortas|sinceras}, {una sola hoja|todos juntos}. {Estará|Quedará} {en la mesa|en la sala de descanso} hasta el [day], con {un lápiz|unos lápices}, para que {cada uno|cada persona} {añada|escriba} {una línea|una idea} sobre el tema «[topic]». {Cuenten|Pueden contar} con {un dibujo|algún dibujo} {en el margen|o dos}.",
    ],
  },
  {
    name: "logo for print",
    details: { thing: "las tarjetas de nombre|el cartel de la calle|las invitaciones|la pared de la feria|la carpeta común" },
    subject: "{Su logotipo|Logotipo} para [thing]",
    turns: [
      "Para [thing] {queremos|nos gustaría} {imprimir|mostrar} {su logotipo|el logotipo de su empresa} {junto al nuestro|al lado del nuestro}. {El archivo|La imagen} que {tengo|hay aquí} es {de poca nitidez|de tamaño pequeño}: ¿{podría|puede} {enviar|mandar} {una versión mejor|un archivo más grande} antes del [day], {a poder ser|si es posible} {también |}en negro? {Por supuesto|Naturalmente}, antes {verá|recibirá} una prueba.",
      "{Nuestra diseñadora|El archivo de la casa} {tiene|ha preparado} tres versiones: {en color|una de color}, {en negro|otra negra} y {en blanco|otra para fondo oscuro}. Para [thing] la versión {negra|sencilla} {suele ir|va} {mejor|muy bien}. {Deje|Dejen} {por favor |}{algo de aire|un margen} {alrededor|por los cuatro lados}.",
      "{Todos los archivos|Los archivos} {son nítidos|están perfectos}, {gracias|saludos} a {su diseñadora|quien los preparó}. Para [thing] {tomamos|elegimos} la versión {negra|sencilla}, con {mucho|bastante} {aire|margen} {alrededor|en cada lado}. La prueba {llega|irá} el [day], {en papel|en imagen}; ¿{podría|puede} {revisarla|mirarla} {entonces|ese día}?",
      "{Sí, con gusto|Desde luego}, la prueba se {mirará|revisará} el [day], y {la respuesta|una respuesta} {irá|saldrá} {el mismo día|en pocas horas}. La versión {negra|sencilla} {era|es} {sin duda|seguramente} {la mejor|una buena} elección. Cuando {todo esté|quede} {impreso|terminado}, una foto {iría bien|tendrá sitio} en {nuestro archivo|nuestra pared}.",
    ],
  },
  {
    name: "a milestone",
    details: { stage: "la fase de prueba|la primera maqueta|el traspaso de datos|la semana de ensayo|la segunda muestra" },
    subject: "{Fecha|Calendario|Plazo}: [stage]",
    turns: [
      "Según {nuestro|el} {plan|calendario}, [stage] {termina|vence} el [day], y {por nuestra parte|hasta hoy} todo {va bien|sigue el plan}. ¿{Puede|Podría} {confirmar|decirme} que su {parte|aportación} {estará|quedará} {lista|a punto} {para entonces|a tiempo}, o {sería|es} {más cómodo|más realista} el [day2]?",
      "{Nuestra parte|La parte de aquí} {casi está|está casi} {terminada|a punto}, solo {falta|queda} {una revisión|una última revisión} {del segundo equipo|a cuatro ojos}. El [day] {es posible|queda justo}, pero el [day2] nadie {tendría|tendrá} que {correr|darse prisa}, y [stage] {saldría|iría} {bien|con calma}.",
      "{La calidad|El cuidado} {va primero|vale más que un día}, {tomemos|queda} entonces el [day2]. En el {plan|calendario} {ya está|está ya} {cambiado|al día}; los pasos {siguientes|posteriores} {no se mueven|se mantienen}, porque {había|teníamos} {un margen|un día de reserva} {previsto|en ese punto}.",
      "Es una {buena|sabia} {decisión|solución}. {La revisión|El control} {empieza|comienza} {mañana|enseguida}, y el [day2] {tendrá|recibirá} {una nota|una confirmación} {breve|clara} sobre [stage]. {El margen|Ese día de reserva} {ha sido|fue} útil {otra vez|al final}.",
    ],
  },
  {
    name: "a spare part",
    details: { machine: "la prensa de etiquetas|la fregadora|la guillotina|la máquina de café|la mesa elevadora" },
    subject: "{Un repuesto|Repuesto|Una pieza} para [machine]",
    turns: [
      "En [machine], que {ustedes entregaron|su casa instaló} {hace unos años|hace tiempo}, {se ha roto|se ha soltado} {un botón|una palanca|una bisagra}. {La placa|El letrero} {dice|indica} {tipo|modelo} [ref]. ¿{Puede|Podría} decirnos {qué pieza|qué número} {es|necesitamos} y si {podemos|sabremos} {cambiarla|hacerlo} {nosotros mismos|sin ayuda}?",
      "Con el {tipo|modelo} [ref] el dibujo {apareció|se encontró} {enseguida|pronto}. La pieza está {por fuera|en la parte {delantera|frontal}}, y {bastan|son suficientes} {dos|cuatro} tornillos y {diez minutos|algo de paciencia}. Para [machine] {queda|tenemos} {una|una pieza} {en almacén|en la estantería}; ¿la {enviamos|mandamos} {por correo|con el próximo camión}?",
      "{Por correo|El correo} {está bien|basta}, [machine] {funciona|marcha} {todavía|por suerte} {sin ella|de todos modos}. {Nuestro conserje|Mantenimiento} {hará el cambio|la cambiará} el [day], cuando {nadie la usa|la sala está libre}. ¿{Hay|Tienen} {un dibujo|una página del manual} para {añadir|poner} {en la caja|al envío}?",
      "{Un dibujo|La página} {va|está} {ya|también} {en la caja|bajo el cartón}, {dos|cuatro} tornillos son {nuevos|de reserva}. {Debería|Tendría que} {llegar|estar ahí} antes del [day]. Si {algo|un tornillo} del {tipo|modelo} [ref] {va duro|se atasca}, {suele ayudar|ayuda} una gota de aceite {o dos|sin más}.",
    ],
  },
  {
    name: "a manual",
    details: { device: "la franqueadora|la báscula|la pantalla de la sala|la plegadora|la fichadora" },
    subject: "{Manual|Instrucciones|Un manual} de [device]",
    turns: [
      "{Con la mudanza|En una mudanza} {se ha perdido|ha desaparecido|no aparece} el {manual|librito} de [device], {como tantas veces|cosas que pasan}. ¿{Tienen|Tendrían} {aún|quizá} {un ejemplar|una copia} {en archivo|en papel}, {a poder ser|si es posible} {en dos idiomas|en lenguaje sencillo}? {Buscamos|Necesitamos} {sobre todo|ante todo} {la página|la parte} sobre {la limpieza|el ajuste de la hora|el cambio de rollo}.",
      "El manual de [device] existe en {cuatro|cinco} idiomas; {el archivo|el documento} {completo|entero} {sale|va} {hoy|esta tarde}. Lo que {busca|necesita} {está|aparece} en la página [count]. {También|Además} {hay|tenemos} {una hoja|una guía} {de una página|muy corta}, que {mucha gente|casi todo el mundo} {cuelga|pone} {al lado|encima}: ¿{sería|es} {útil|de interés}?",
      "{Esa hoja|Una hoja así} {sería|es} {ideal|perfecta} para {la pared|los turnos}, {sí, por favor|con gusto}. Gracias a la página [count], {la oficina|nuestro equipo} {ya|entretanto} lo ha {resuelto|arreglado} todo, y nadie {tuvo que|ha tenido que} {buscar|adivinar} {mucho|más}. [device] {funciona|marcha} {de nuevo|como nueva}.",
      "La página [count] es la que {casi todos|muchos} {piden|buscan}. La hoja {está en camino|ya viaja} {por correo|desde hoy}, en {papel|cartón} {fuerte|grueso}, para que {dure|aguante} {años|mucho} {junto al aparato|en la pared}. {Otra copia|Un segundo ejemplar} se {puede pedir|pide} {en cualquier momento|cuando se quiera}.",
    ],
  },
  {
    name: "text of labels",
    details: { label: "Frágil, llevar entre dos|Guardar en seco|Este lado arriba|Abrir por la izquierda|Devoluciones, ordenar aquí" },
    subject: "{Etiquetas|Texto de las etiquetas|Una etiqueta}: «[label]»",
    turns: [
      "Las etiquetas de {los estantes|las cajas} van {a la imprenta|a imprimirse} el [day]. {La suya|La de sus productos} {dice|pone} «[label]» en letras {negras|azul oscuro|verde oscuro}, {unos|de} [count] centímetros de {ancho|largo}. ¿{Están bien|Le parecen bien} {texto y tamaño|el texto y el ancho}, o {cambiamos|hay que cambiar} {algo|alguna palabra}?",
      "{El texto|La frase} y {el tamaño|el ancho} {están|quedan} bien, [count] centímetros se {leen|ven} {de lejos|desde el otro lado}. {Solo|Únicamente} el color {podría|debería} ser más {fuerte|claro}: {nuestro almacén|el equipo} trabaja {a menudo|casi siempre} {con poca luz|en penumbra}, y «[label]» {debe|tiene que} {saltar a la vista|verse} {enseguida|primero}.",
      "{Buena observación|Es verdad}, {nadie había pensado|no habíamos pensado} en {eso|la luz}. «[label]» {irá|saldrá} entonces en letras {blancas|claras} sobre fondo {oscuro|azul noche}, {otra vez|siempre} [count] centímetros. Si {nadie se opone|no hay objeción}, {todo va|el texto va} {así|de esta forma} {a la imprenta|a imprimirse} el [day].",
      "{Ninguna objeción|Nada que objetar}, {al contrario|todo lo contrario}: letras claras, {justo|precisamente} lo que {el almacén|el equipo} {quería|esperaba} {desde hace tiempo|desde hace meses}. «[label]» {puede|podrá} {ir|salir} {pues|entonces} a la imprenta el [day]. {Guarden|Aparten} {por favor |}{diez|algunas} etiquetas {más|de reserva}, {el cajón está siempre vacío|siempre faltan}.",
    ],
  },
];
