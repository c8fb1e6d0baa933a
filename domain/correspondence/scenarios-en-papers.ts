import type { Scenario } from "./scenario.ts";

/** English conversations about orders, deliveries, documents and questions. */
export const ENGLISH_PAPERS: readonly Scenario[] = [
  {
    name: "copy of an invoice",
    details: { office: "the accounts team|the archive|the tax adviser|the head office|the auditor|the new bookkeeper" },
    subject: "{Copy of|A copy of|A question about} invoice [ref]",
    turns: [
      "{While|When} {sorting|filing} the papers of [month] {we noticed|I noticed} that invoice [ref] {is missing|is not there}. {Could you|Would you} {send|mail} us {a copy|another copy}, {as a file|as a simple scan}? {[office] {asks|has asked} for it|It is for [office]}, but there is {no hurry|no rush} {at all|whatsoever}.",
      "{Of course|Gladly}, invoice [ref] {was easy to find|is in our records}. {A copy|The copy} {goes out|is going out} to you {today|this afternoon}, {by a separate mail|in a mail of its own} {from|out of} our {system|accounts system}. {Should|Shall} {[office]|other people, such as [office],} {be in copy|receive copies} {for the coming months|in future}?",
      "{The copy|Number [ref]} {has just|has meanwhile} arrived and {is|looks} {complete|readable}. {Adding [office]|To add [office]} {is not necessary|is not needed}; {one address|a single address} for {invoices|such papers} keeps {things|it} {simple|clear} {here|for us}. {With that|So} {the folder|our folder} for [month] {is complete|can be closed}.",
      "{Good that it arrived|I am pleased that it arrived|So the copy got through}. {We leave|I will leave} {the address|everything} {as it is|unchanged}, then. {If|In case} {another paper|any other paper} from [month] {is missing|cannot be found}, {a short line|one line} with {the number|its number} {is enough|will do}.",
    ],
  },
  {
    name: "feedback on a draft",
    details: { draft: "the brochure|the project plan|the user guide|the short report|the notice board text|the welcome booklet" },
    subject: "{Draft of [draft]|Your view on [draft]|[draft]: first draft}",
    turns: [
      "{The first draft|A first version} of [draft] {is ready|has been written|is done}, {[count] pages so far|some [count] pages}. {Before|Until} {we go on|the layout begins} {I would|we would} {value|like} {your view|an outside view}: {is it|does it seem} {clear|easy to read}, and {which part|what} would you {shorten|leave out}? {An answer|A few lines} by [day] {would help|is early enough}.",
      "{I have read|I went through} [draft] {with pleasure|twice|over coffee}. {It is|It seems} {clear|easy to follow}, {above all|especially} {the beginning|the first pages}. {Around the middle|In the middle} {I would|one could} {cut|drop} {a page|two paragraphs}, and {the last|the final} {chapter|section} {needs|could use} {an example|a small example} {for newcomers|from daily work}.",
      "{Those are|That is} {good points|very useful|just the kind of remarks we needed}. {We will|I will} {shorten|tighten} the middle and {add|look for} an example {at the end|for the end}. {Could you|Would you} {glance at|look at} [draft] {once more|again} {when|as soon as} {that is done|the new pages are there}, {by [day]|probably around [day]}?",
      "{Certainly|Yes, happily}, {just send|simply send} {the new|the changed} {version|pages}. {[day] is|Around [day] is} {a good time|fine}, {I have|there is} {a quiet|a free} {afternoon|hour} {then|that day}. {I am|We are} {curious|keen} to see {how|the way} [draft] {reads|looks} {with|after} the {new example|changes}.",
    ],
  },
  {
    name: "delivery date",
    details: { goods: "folding boxes|desk lamps|storage bins|cable reels|filing shelves|paper rolls" },
    subject: "{Order|Delivery of order} [ref]{|: [goods]|, [goods]}",
    turns: [
      "{May I ask|Could you tell me|I would like to know} {when|on which day} {order [ref]|our order [ref]} will {arrive|be delivered}? {It is about|It concerns} {the |}[goods] {for|that go to} {our branch|the second floor|the north store}, and {we need|we want} to {plan|keep} {somebody|a colleague} {free |}for {the unloading|the lift truck}.",
      "{Order [ref]|Your order [ref]|Number [ref]} {is packed|stands ready} and {leaves|will leave} {our warehouse|the warehouse} {the day before|one day earlier}: {the [goods]|your [goods]} {should be|will be} {with you|at your door} on [day], {around|probably about} [time]. {The driver|Our driver} {rings|will ring} {half an hour|some minutes} {before|ahead}.",
      "{[day] at [time]|[day] around [time]} {is fine|suits us well}. {A colleague|Somebody from the store} {will|can} {be there|wait} with {a lift truck|a trolley}. {Could|Would} you {ask|tell} the driver to {use|come to} {the yard|ramp 2|the rear entrance}, {as|because} the [goods] are {too wide|rather wide} for {the front door|the main door}?",
      "{I have|We have} {passed that on|told the driver}: {the rear side|the back}, not {the front|the main door}. {The delivery note|The paper} for [ref] {is|lies} {with the [goods]|on top of the [goods]}; {a signature|signing it} {on [day]|there} {is all|is everything} {we need|that is needed} {in return|from you}.",
    ],
  },
  {
    name: "right contact",
    details: { field: "returns|customs papers|building services|data sheets|storage questions|staff training" },
    subject: "{Contact|Who is in charge|The right person} {for|of} [field]",
    turns: [
      "{I am looking|I have been looking} for {the right person|somebody} {in your company|at your company} {for|to ask about} [field]. {Until now|So far} {we wrote|our mails went} to {the general address|reception}, {which|and that} {took|takes} {some time|a day or two}. {Whom|Which colleague} {should|may} we {ask|address} {directly|from now on}?",
      "{With questions about [field]|When it is about [field]} {you may|you can} {write|turn} to me {directly|from now on}; {I share|we share} {the work|this} with {a colleague|one colleague} {next door|in the same room}. On [day]s I am {usually|mostly} {out|on the road}, {but|yet} {mails|messages} {are read|get read} {every day|also then}.",
      "{That makes|This makes} things {easier|much easier}. {I have put|I have entered} {you|your name} in our list {under [field]|for [field]}, and {told|informed} the {purchasing|planning|night} team. {The first|Our first} question {comes|will follow} {soon|in the coming days}: {it is|something} about {a missing form|two labels|an old data sheet}, {nothing|but nothing} {complicated|difficult}.",
      "{Just|Simply} {send|write} {it|the question} {to me |}{whenever|when} {you are ready|it suits you}. {With [field]|When it is about [field]} {a photo|a number or a photo} {often|usually} {helps|says more than words}, {if you have one|where there is one}. {Most things|Such questions} {are settled|can be answered} {within a day|the same day|in a few lines}.",
    ],
  },
  {
    name: "another entrance",
    details: {
      place: "the yard in Mill Street|the ramp on Park Lane|the gate in Station Road|the door on Bridge Street|the entrance in Church Lane",
    },
    subject: "{New delivery entrance|Deliveries from [month] on|Where to deliver}",
    turns: [
      "{From|Starting in} [month] {on |}{all deliveries|deliveries} {to us|for our house} {go|should go} to [place], {because|since} {the old|our old} {entrance|ramp} {is being rebuilt|will be closed}. {The postal address|Our address for letters} {stays|remains} {the same|as it is}. {Could you|Would you} {change|note} that {in your system|for your drivers} and {tell me|let me know} {when it is done|once it is entered}?",
      "{I have|We have} {entered|noted} [place] {as|for} the {delivery address|place of delivery} from [month] on, {for all|also for the} {open|running} orders. {Our drivers|The drivers} {ask|wonder} {whether|if} {a large|a long} {truck|lorry} {can turn|fits} there, or {whether|if} {a smaller|a short} {one|vehicle} {is better|makes more sense}.",
      "{A long|A large} {truck|lorry} {fits|can turn} {easily|without trouble}; {just|only} {before nine|before half past eight} {it is|things are} {narrow|crowded}, {as|because} {the school|the bakery} {next door|opposite} needs {the lane|the space}. {Anybody|A driver} who {comes|arrives} {at|around} [time] {finds|will find} [place] {empty|nearly empty}.",
      '{That is|This is} {useful|helpful} {to know|for us}. {Our planner|Our dispatcher} {has written|wrote} {"after [time]"|"not before nine"} {next to|beside} [place], {so|and} {the trucks|everybody} {will|should} {come|arrive} {later|in the quiet hours}. {With that|So} {everything|all} {is ready|is set} for [month].',
    ],
  },
  {
    name: "samples arrived",
    details: { sample: "the grey fabric|the thick cardboard|the oak veneer|the matt paper|the green felt|the clear film" },
    subject: "{Samples|Your samples}{|: [sample]| of [month]|, [sample]}",
    turns: [
      "{The box|The parcel} with the samples {has arrived|came} {safely|in good order}, [count] {pieces|of them} {in all|altogether}. {At first sight|So far} {we like|my colleagues like} [sample] {best|most}. {Is it|Might it be} {also|still} {available|made} {in a second width|in a larger size}, and {how long|for how many weeks} {may we|can we} {keep|hold on to} the {others|rest}?",
      "{Good to hear|I am pleased} that {all [count]|the [count] pieces} {have arrived|are there}. {[sample] comes|We make [sample]} in two {sizes|widths}, the {larger|wider} one from [month] on. {You may|You can} keep the {others|rest} {as long as|while} you {need|want} {to compare|them}; {nobody|no one} {here |}{needs|misses} them.",
      "{That is|How} {generous|kind}. {We will|I will} {hang|lay} {all of them|the [count] pieces} {by the window|side by side} {for a week|for some days}, {because|since} {daylight|the light} {changes|matters} {a lot|so much}. {Could you|Would you} {note|remember} {meanwhile|already} that {we need|we would like} another {piece|sheet} of [sample], in the larger size?",
      "{It is|That is} {noted|on my list}: {one|a} {large|larger} {piece|sheet} of [sample]. {It travels|It goes} {with|in} {the next|our next} {parcel|box}, {around|probably on} [day]. {Take|Please take} your time {with the rest|for the comparison}, {daylight|good light} {is|really is} {the best|the fairest} {judge|test}.",
    ],
  },
  {
    name: "printed catalogue",
    details: { branch: "the showroom|the front office|the training room|the site office|the planning desk|the reading corner" },
    subject: "{Printed catalogue|Your catalogue|Catalogues} for [branch]",
    turns: [
      "{Does|I wonder: does} {your|the} catalogue {still exist|also exist} {on paper|in print}? {On the screen|As a file} it is {good|handy}, but in [branch] {people|many} {like|prefer} to {leaf through|hold} {real |}pages. {If so|If it does}, {we would|I would} {be happy|be glad} about [count] {copies|pieces}, {also|even} {older ones|those of last year}.",
      "{Yes, it does|It does}: {the printed one|the paper one} {comes|appears} {once|twice} a year, {the new|the next} one in [month]. {I can|We can} {send|post} [count] {copies|of them} to {you|[branch]} {right away|this week}, or {wait|hold them back} {until|till} the new one {is there|is printed}; {which|what} do you {prefer|like better}?",
      "{We would|We will} {rather|gladly} {wait|be patient}, so {nothing|no copy} {is out of date|has to be thrown away} {after a month|so soon}. {Please|Just} {note|plan} [count] {copies|of them} for [branch], and {send|post} {them|the parcel} {in [month]|when it appears} to {our usual|the known} address.",
      "{I have put|I have written} {[branch]|you} on the list {with [count] copies|for [count] copies}. {As soon as|When} the {printer|print shop} {delivers|has delivered} in [month], {the parcel|your parcel} {goes|will go} {out|on its way} {first|the same week}, with {a loose|an extra} {index|sheet} for {quick|faster} {looking up|reading}.",
    ],
  },
  {
    name: "a form to fill in",
    details: { form: "the supplier form|the contact sheet|the safety form|the site form|the visitor form|the storage sheet" },
    subject: "{[form]: two questions|Questions about [form]|[form]}",
    turns: [
      "{You asked|Your office asked} us to {fill in|complete} [form] by [day]. {Most of it|Nearly everything} is {clear|done}, {only|just} {field 7|field 9|line 4|line 12} {puzzles|confuses} {us|my colleague}: {is that|does it mean} the {head office|company} or the {branch|site} that {works|deals} with you? {And|Also,} is {a typed|a printed} {version|copy} {enough|all right}?",
      "{The {branch|site}|In that line the {branch|site}} is {meant|what we mean}, {that is|so} {the place|the address} from which {you deliver|you work for us}. {A typed|A printed} {version|copy} of [form] is {fine|quite enough}, {nobody|no one} {needs|expects} {ink|a stamp}. {[day] is|And [day] is} {only|just} {a rough|an internal} date{, no need to rush|}.",
      "{That explains|That solves} it. {We will|I will} {fill in|complete} [form] {accordingly|that way} and {send|return} it {before [day]|by [day]} {anyway|all the same}, {so that|then} {it is|the matter is} {off the table|off both our desks}. {Are two pages|Would two pages be} {as one file|in one file} {all right|the best way}?",
      "{One file|A single file} {is|would be} {best|perfect}, {then|so} {nothing|no page} {gets lost|goes astray}. {As soon as|Once} [form] {is here|has arrived}, {I will|we will} {confirm|note} it {with a line|briefly} and {you are|your company is} {entered|in our records} {for two years|for the coming years}.",
    ],
  },
  {
    name: "file format",
    details: { file: "the floor plan|the cutting plan|the measurement table|the drawing|the drilling plan|the wiring plan" },
    subject: "{[file]|File format of [file]|Format: [file]}",
    turns: [
      "{We tried|I tried} to {open|read} [file] {that you sent|from [day]}, {but|yet} {our program|the program here} {shows|displays} {empty pages|strange signs|only a grey page}. {Could you|Would you} {save|export} it {once more|again} in {a simpler|another|an older} format? {A plain|Any plain} {table|picture} {would|will} {be enough|do} for {what we need|our purpose}.",
      "{That is|This was} {our fault|a setting here}: {the new|our new} program {saves|writes} [file] in {its own|a very new} format. {I have|We have} {exported|saved} it {twice|in two ways}, {once|one} as {a plain table|a plain text} and {once|one} as {a picture|pages to print}. {Both|The two files} go out to you {within the hour|this afternoon|today}.",
      "{Both|The two versions} {open|can be opened} {without trouble|at once}, and {the table|the first} is {exactly|just} {what we needed|right}. {One|A small} question {about|on} [file]: are {the numbers|all numbers} {on the right|at the end} {in millimetres|in centimetres|in metres}, or {something else|in other units}?",
      "{Millimetres|In millimetres|It is millimetres}, {always|throughout}, and {the small|the grey} numbers in [file] are {only|just} {internal|for us}. {From now on|In future} {we will|I will} {send|save} [file] in {the plain|the simple} {form|format} {first|from the start}, {that spares|which saves} {us both|everybody} {a detour|some time}.",
    ],
  },
  {
    name: "wording of a translation",
    details: { text: "the care label|the safety notice|the packing slip|the short manual|the door sign|the welcome text" },
    subject: "{A word in|Wording of|Translation of} [text]",
    turns: [
      "{We have had|We had} [text] translated, and {two|several} {people|colleagues} {disagree|argue} about {the second|the last} sentence: {one finds|some find} it {too formal|too stiff}, {the other|others} {quite|just} right. {You know|Your team knows} the {readers|customers} {there|in your country}: {would you|could you} {read|look at} it {by [day]|this week}, [count] lines {in all|only}?",
      "{I read|We read} [text] aloud {in the office|over lunch}, {which|and that} {helps|helped}. {The sentence|The second half} {is|sounds} {correct|right}, {but|yet} {rather|a little} {stiff|heavy}; {with|by using} {a shorter|a simpler} verb it {becomes|gets} {friendly|natural}. {The other|The remaining} {lines|ones} of the [count] {can|may} {stay|remain} {as they are|untouched}.",
      "{So|Then} {the friendly|the shorter} {version|one} {wins|it is}. {We will|I will} {change|replace} the verb in [text] and {print|order} {a first|a small} {batch|proof} {before|by} [day]. {May we|Could we} {ask|come back to} you {again|once more} {when|if} {the next|a longer} text {comes|is due}?",
      "{Of course|Certainly}, {reading|to read} [count] lines {takes|costs} {hardly any|very little} time. {It was|This was} {fun|a pleasure} for {the whole|our} {office|team}, and {everybody|each of us} {is curious|would like} to {see|hold} [text] {in print|on paper} {some day|after [day]}.",
    ],
  },
  {
    name: "quantity in an order",
    details: { ware: "door handles|wall hooks|table legs|light switches|coat racks|drawer rails" },
    subject: "{Quantity in order|Order|Correction of order} [ref]",
    turns: [
      "{In|With} {our order|order} [ref] {a wrong|an old} {number|quantity} {slipped in|was typed}: {we wrote|it says} {twice|two times} as many [ware] as {we need|intended}. {The right number|Correct} {is|would be} [count] {boxes|cartons}. Can {it|that} {still be|be} {changed|corrected}, or has the {packing|work on it} {begun|started} already?",
      "{You are|Your mail is} {in good time|early enough}: [ref] is {still|luckily still} {on the shelf|open here}. {I have|We have} {changed|set} it to [count] {boxes|cartons} of [ware]; {everything else|the rest} {stays|remains} {the same|unchanged}, {also|including} {the date|delivery} on [day]. {A new|The corrected} {confirmation|paper} {follows|is on its way} {by post|separately}.",
      "{What a relief|That is a relief}, {thank you for|we appreciate} the {quick|simple} {change|help}. {I will|We will} {cross out|throw away} the {old|first} {paper|confirmation} of [ref] and {wait|look out} for the {new|corrected} one. {So many|The [count]} {boxes|cartons} of [ware] {just|exactly} {fit on our shelf|fit into the space}.",
      "{That happens|Such things happen} {to everybody|all the time}, {no harm done|nothing was lost}. {The new|The corrected} {paper|confirmation} of [ref] {has been|was} {posted|sent out} {just now|a moment ago|today}; if {the number|the line} of [ware] still {looks|seems} {odd|wrong} {there|on it}, {ring|call} {me|us} {briefly|before [day]}.",
    ],
  },
  {
    name: "return of pallets",
    details: { load: "empty pallets|wire crates|folding crates|roll containers|plastic trays|transport frames" },
    subject: "{[count] [load]|Pick-up of [load]|[load] in our yard}",
    turns: [
      "{In|Behind} our {yard|hall} {there are|stand} [count] of your [load], {cleaned|stacked} and {ready|dry}. {When|On which day} {could|can} {a driver|somebody} {collect|take} them, {perhaps|maybe} {together with|along with} {the next|a} delivery? {On [day]|Around [day]} the yard is {free|empty} {all day|from [time] on}.",
      "{[day] is|That is} {well timed|a good day}: {our|the} {large|second} {truck|lorry} {passes|comes by} {your town|near you} that {morning|day} and has {room|space} for [count] [load]. {The driver|It} will be {there|with you} {at about|around} [time]. {Is anybody|Is a colleague} there {to help|with a lift truck}?",
      "{Somebody|A colleague from the store} {is|will be} {there|in the yard} {anyway|in any case}, and the {lift truck|fork lift} {is charged|works}. {We have|I have} {put|tied} the [load] {together|in two rows}, so {loading|it} {takes|needs} {ten minutes|a quarter of an hour}. {Please|Just} {bring|send} {a receipt|a slip} for [count] {pieces|of them}{ along|}.",
      "{The receipt|A receipt} for [count] {is|lies} {with the driver|in the cab} {already|now}. {Tied together|In two rows} {they are|the [load] are} {easy|quick} to {load|lift}, {that was|this was} {thoughtful|well done}. {From|After} [month] {we will|I will} {plan|offer} {a fixed|a regular} {day|round} for {this|such returns}, {which may|that might} help {us both|both sides}.",
    ],
  },
  {
    name: "hours of the warehouse",
    details: { why: "stocktaking|the yearly inspection|a works meeting|a move of shelves|maintenance of the lift|a fire drill" },
    subject: "{Your hours|Opening hours|Warehouse hours} {around|on} [day]",
    turns: [
      "{Somebody|A driver} {mentioned|told us} that your warehouse {closes|shuts} {earlier|at noon} on [day] {because of|owing to} [why]. {Is that|Is this} {right|true}? {We have|We planned} {a pick-up|a collection} {at|around} [time] {that day|then}, and {would|could} {otherwise|if needed} {come|send the van} on [day2] {instead|with the same papers}.",
      "{Yes, that is|That is} {right|true}: {owing to|because of} [why] {the gates|our gates} {close|are closed} on [day] {from noon on|after twelve}. {[day2] is|On [day2] it is} {a normal|an ordinary} {working |}day, {so|and} {your van|a van} at [time] {is|would be} {welcome|no problem}. {The goods|Your goods} {stay|remain} {at ramp 3|where they are|in the front row} {until then|overnight}.",
      "{Then|In that case} {we will|the van will} come on [day2] at [time]. {The papers|Our papers}, though, still {show|say} [day]; is {that|this} a {problem|difficulty} {at the gate|for your staff}, or {does a note help|is a pencil note enough}? {It all sounds like|That must be} {a lot|plenty} of work {every year|each time}.",
      "{A pencil note|A handwritten note} {is enough|will do}, {the gate|our gate} {knows|has been told} {about it|that you come}. {It is|Yes, that is} {always|once again} {a busy|a long} day, {but|yet} {by the morning|on [day2]} {everything|all} {runs|is} {as usual|normal} {again|here}, and {the time around [time]|the hour around [time]} is {even|usually} {quiet|calm}.",
    ],
  },
  {
    name: "photos of a project",
    details: { use: "the staff paper|the notice board|an internal talk|the yearly review|a poster in the hallway|the training slides" },
    subject: "{Photos|Pictures} for [use]",
    turns: [
      "{During|At} {the work|our project} {in|of} [month] {one of you|somebody from your team} {took|made} {very good|some lovely} photos. {We would|I would} {like|love} to {show|use} {two|three} of them for [use]: {would that|could that} be {all right|possible}, and {whose|which} name {should|must} {stand|be written} {below|beside} {them|each picture}?",
      "{You may|Please feel welcome to} {use|take} {them|the photos} for [use], {we are|the team is} {pleased|honoured} that {you like them|they are liked}. {They were|The ones of [month] were} taken by {a colleague|two colleagues} {from planning|from the workshop}; the name of {our|the} company {below|underneath} {is enough|will do}. {Do you need|Would you like} {larger|bigger} {files|versions}?",
      "{Larger|Bigger} files {would be|are} {wonderful|very welcome}, {above all|especially} of {the picture|the photo} {with the ladder|at the open door|with the blue crates|of the whole group}. {It will be|That one will be} {the first|the largest} {one|picture} {people|readers} {see|notice}. {By|Around} [day] {would be|is} {early|soon} enough for [use].",
      "{The large|The big} {files|versions} {will be|are} {with you|in your mailbox} {before|by} [day]. {Everybody|The whole team} {smiled|was happy} {when|as} {they heard|I told them} {about [use]|where the picture goes}. {If|When} you have {a spare|a finished} copy, {we would|the workshop would} {hang|put} it {up |}{by the coffee machine|on the wall here}.",
    ],
  },
  {
    name: "a short questionnaire",
    details: { topic: "packaging|delivery notes|phone hours|spare parts|data sheets|the ordering form" },
    subject: "{A few|Some} questions about [topic]",
    turns: [
      "{Once|Twice} a year {we ask|our team asks} {a few|some} {partners|companies we know well} what {could be|should be} improved. {This time|In [month]} it is {about|all about} [topic], {only|just} [count] {short |}questions, {without|and no} {points|grades}. {May I|Could I} {send|mail} {you|your team} the {sheet|list}, and {would|might} {an answer|a reply} by [day] be {possible|realistic}?",
      "{Please do|Yes, please send it}, {we like|I like} {being asked|to be asked}. {[count] questions|A sheet with [count] questions} on [topic] can be {answered|done} by [day], and {the colleagues|those} {in the store|who unpack} {have|surely have} {something|a thing or two} to say. {Should|May} {we|they} {answer|write} {together|on one sheet} or {each alone|one by one}?",
      "{Together|On one sheet} {is|would be} {fine|best}, {as you like|just as it comes}; {short|honest} {words|notes} {matter|help} more than {full|long} sentences. {The part|What they say} {of|from} the store {interests|helps} us {most|particularly}, {since|because} {they see|the people there see} [topic] {every day|from close by}. {The sheet|It} {follows|comes} {in a minute|this afternoon} with {room|space} {for drawings|in the margin}.",
      "{Understood|All right}: {short|honest} notes, {one sheet|together}. {I will|We will} {put|lay} it {on the table|in the break room} {until|before} [day], {with|and add} {a pencil|some pencils}, so {everybody|each of us} {can|may} {add|write} {a line|a thought} on [topic]. {You may|You might} {expect|get} {a drawing|a sketch} {or two|as well}.",
    ],
  },
  {
    name: "logo for print",
    details: { thing: "the name badges|the road sign|the invitation cards|the exhibition wall|the joint folder|the floor guide" },
    subject: "{Your logo|Logo} {for|on} [thing]",
    turns: [
      "For [thing] {we want|we would like} to {print|show} {your logo|the logo of your company} {next to|beside} ours. {The version|What} {we have|I found here} is {too small|too coarse}: {could you|would you} {send|mail} {a larger|a sharper} one by [day], {ideally|if possible} {in one colour|in black} {as well|too}? {You will|Of course you} {see|get} {the proof|a proof} {first|before anything is printed}.",
      "{I have asked|I went to} {our designer|the colleague with the files}: {you get|there are} three {versions|files}, {in colour|a coloured one}, {one in black|a black one} and {one in white|one for dark ground}. For [thing] {the black|the plain} one is {usually|often} the {best|calmest}. {Please|Just} {leave|keep} {a little|some} {air|space} {around it|on all sides}, {a thumb's width|about the height of a letter}.",
      "{The files|All files} {are|look} {sharp|just right}, {many thanks to|greetings to} {your designer|the colleague}. {We chose|We took} {the black|the plain} one for [thing], with {plenty of|enough} {air|space} {on all sides|around}. {The proof|A proof} {comes|will come} on [day]{, on paper|, as a picture}; {will you|could you} look at it {then|once more}?",
      "{Yes, I|Yes, the designer and I} {will look|will gladly look} at {the proof|it} on [day] and answer {the same day|within hours}. {The black|The plain} one {was|is} {a good|surely the right} {choice|decision}. {When|As soon as} [thing] {is|has been} {printed|finished}, {a photo|one picture} {would|could} {go|find a place} {in our archive|on our wall}.",
    ],
  },
  {
    name: "a milestone",
    details: { stage: "the test run|the first layout|the data transfer|the trial week|the wall plan|the second sample" },
    subject: "{[stage]|Date of [stage]|Schedule: [stage]}",
    turns: [
      "In our {schedule|plan} [stage] {ends|is due} on [day], and {as far as|from what} {I see|we see} {everything is|things are} {on track|fine}. {Could you|Would you} {kindly |}confirm that {your part|the work on your side} {will|can} {be ready|be done} {by then|in time}, or is [day2] {a more|the more} {comfortable|realistic} {date|day}?",
      "{Our part|The work here} {is|will be} {nearly|almost} {done|finished}, {only|just} {one check|a last check} {by a colleague|by the second team} {is open|remains}. {[day] is|So [day] is} {possible|tight}, {but|yet} on [day2] {nobody|none of us} {has to|must} {hurry|rush} with [stage], and {the check|everything} can be {done|made} {properly|in peace}.",
      "{Quality|Care} {comes first|is worth more than a day}, so {let us|we} {take|say} [day2]. {I have moved|I am moving} [stage] in the {plan|schedule}; {the following|the later} {steps|dates} {do not|need not} {change|move}, {since|because} {we had|there was} {a buffer|a spare day} {there|in it} {anyway|from the start}.",
      "{That is|This is} {a good|a sensible} {decision|solution}. {The colleague|The second team} {begins|starts} {the check|checking} {tomorrow|at once}, and on [day2] {you will|you should} {have|get} {a short|a clear} {note|line} {about|on} [stage]. {The buffer|A spare day} {was|has proved} {useful|worth it} {after all|once again}.",
    ],
  },
  {
    name: "a spare part",
    details: { machine: "the label press|the floor scrubber|the paper cutter|the shrink tunnel|the coffee machine|the pallet lift" },
    subject: "{A part|Spare part|A small part} for [machine]",
    turns: [
      "On [machine], which {you|your company} {delivered|installed} {some years ago|in the past}, {a small|one} {knob|lever|hinge|wheel} {is broken|has come off}. {The plate|The sign} {says|shows} {type|model} [ref]. {Can you|Could you} tell us {which part|what number} {that is|we need}, and whether {we can|our people can} {change|fit} it {ourselves|alone}?",
      "{With|Given} {type|model} [ref] {I found the drawing|it was easy to find the drawing} {quickly|at once}. {The part|It} sits {outside|on the front} of [machine], {so|and} {two|four} screws {and|plus} {ten minutes|a little patience} {are|should be} {enough|all you need}. {We have|There is} {one|a piece} {in stock|on the shelf}; {shall|should} {it|the part} {go|be sent} {by post|with the next van}?",
      "{By post|Post} {is|would be} {fine|quite quick enough}, [machine] {still|luckily still} {runs|works} {without it|all the same}. {Our|A} {caretaker|technician} {will|can} {change|fit} {it|the part} on [day], when {nobody|no one} {needs|uses} the {room|machine}. {Is there|Do you have} {a sketch|a page of the manual} {that|which} you could {put in the box|add}?",
      "{A sketch|The page} {lies|is} {in|inside} the {box|parcel} with the screws, {two|four} of them {new|spare}. {It should|The parcel should} arrive {in time for|before} [day]. If {anything|something} {on|in} [machine], {type|model} [ref], {sits too tight|is stiff}, {a drop|one drop} of oil {helps|usually helps}.",
    ],
  },
  {
    name: "a manual",
    details: { device: "the scanner|the franking machine|the room display|the time clock|the air cleaner|the scales" },
    subject: "{Manual|Instructions|A manual} for [device]",
    turns: [
      "{We have|Our branch has} {moved|unpacked} [device], and {the manual|its manual} {is gone|has vanished}, {as so often|as happens}. Do you {still |perhaps |}have {a copy|one} {as a file|on paper}, {best|if possible} in {two languages|simple language}? {Above all|Mainly} {we look for|we need} the {page|chapter} {about|on} {cleaning|setting the clock|changing the roll}.",
      "{The manual|The booklet} for [device] {exists|can be had} in {four|five} languages; {I am sending|you get} {the full|the complete} {file|booklet} {today|this afternoon}. {The page|The chapter} {that you need|you look for} is number [count]. {There is also|We also have} {a one-page|a short} guide, which {many|most people} {hang|put} {next to|above} {it|the machine}: would that be {of interest|useful}?",
      "{The sheet|A one-page guide} {would be|is} {ideal|just the thing} for {the wall|the shift workers}, {gladly|yes please}. {With|Thanks to} page [count] {we have|our office has} {already|meanwhile} {managed|done} {it|what we wanted}; [device] {runs|works} {again|like new}, and {nobody|no one} {had to|needed to} {guess|search} {any more|for long}.",
      "{Page [count]|That page} {is|seems to be} {the one|what} {everybody|nearly everybody} asks for. {The sheet|The short guide} {is|goes} {in the post|on its way}, printed on {strong|thick} {card|paper}, so it {lasts|survives} {beside|near} [device] {for some time|for years}. {Another copy|A second one} can be {had|sent} {at any time|whenever you ask}.",
    ],
  },
  {
    name: "text of labels",
    details: { label: "fragile, two people|keep dry|this side up|open from the left|returns, please sort|spare parts only" },
    subject: '{Labels|Label text|Text of the labels}: "[label]"',
    turns: [
      '{The labels|Our labels} for the {shelves|boxes} {go|are going} {to print|to the printer} on [day]. {Yours|The one for your goods} {says|reads} "[label]" in {black|dark blue|dark green} letters, {[count] centimetres|some [count] centimetres} {wide|across}. {Are text and size|Is everything} {right|as you want it}, or {should|shall} {we|the printer} {change|alter} {anything|a word}?',
      '{Text|The text} and {size|width} {are|seem} {right|good}, [count] centimetres {can be|are} {read|seen} {from afar|across the hall}. {Only|Just} {the colour|the letters} {might|could} be {stronger|brighter}: {our|the} {store people|pickers} {work|often stand} {in half light|with little light}, and {so|there} "[label]" {should|must} {catch|meet} {the eye|everybody\'s eye} {at once|first}.',
      '{Good point|That is a good point}, {half light|poor light} {was not|had not been} {on our mind|considered}. {We will|The printer will} {use|take} {white|bright} letters on {a dark|a deep blue} ground for "[label]", {same size|again [count] centimetres}. Unless {you object|we hear otherwise} {before|by} [day], {it goes|everything goes} to print {like that|in this form}.',
      '{No objection|We do not object}, {quite the opposite|on the contrary}: {bright|white} on dark is {what|exactly what} {our|the} {store people|pickers} {hoped for|wanted}. {So|Then} "[label]" {may|can} {go|be sent} to print on [day]. {Please|Could you} {set aside|keep} {ten|a few} {spare|extra} ones {for|in} {our|the} {drawer|office}{, they always run out|}.',
    ],
  },
];
