import type { Scenario } from "./scenario.ts";

/** English conversations about calls, meetings and visits. */
export const ENGLISH_MEETINGS: readonly Scenario[] = [
  {
    name: "confirm a call",
    details: { topic: "the new order form|the rollout plan|the spring schedule|the training days|the shelf layout|the packaging test" },
    subject: "{Our call|Call|Phone call} on [day]{| about [topic]|, [time]}",
    turns: [
      "{I would like to|I just wanted to|Let me quickly} {confirm|check} our {call|phone call} about [topic] on [day] at [time]. {Does that time still {suit|work for} you|Is that {slot|time} still {convenient|good} for you}, or {should|shall} we {look for|choose|find} {another|a different} {hour|slot}?",
      "{The call on [day]|[day]} at [time] {suits me well|is fine with me|is in my calendar}. {I will|We will} {have the {notes|papers} on [topic] {ready|at hand}|go through [topic] {beforehand|once more before}}, so {half an hour|thirty minutes} {should|ought to} be {enough|plenty}.",
      "{Half an hour|Thirty minutes} {is|sounds} {fine|right|sensible}. {I will|Our office will} {ring|call} you {on your desk phone|at the usual number|at your desk} on [day], and {a colleague|one of my colleagues|somebody from planning} {may|might} {join|listen in} {for a few minutes|at the start}, {if that is all right|unless you object}.",
      "{Of course|Certainly}, {your colleague is|everybody from your side is} {welcome|most welcome} to {join|listen in}. {I am at my desk|I can be reached|You will reach me} {from|shortly before} [time] on [day], and {we can begin|we will begin|let us begin} with [topic] {right away|straight away|at once}.",
    ],
  },
  {
    name: "move a meeting",
    details: { reason: "a delivery|an internal workshop|a visit from our head office|a stocktaking|an audit|a training day" },
    subject: "{Moving our meeting|Our meeting|New date for our meeting}{|: [day] to [day2]|, [day]}",
    turns: [
      "{Unfortunately|I am sorry, but} {[reason] {falls on|has been planned for}|we have [reason] on} [day], {just when|exactly when} we {wanted to|were going to} meet. {Could we|Would it be possible to|Might we} {move|shift} {our meeting|the appointment} to [day2] at [time], {with the same people|in the same room|at the same place}?",
      "{No problem at all|That is no trouble|That can be arranged}. {[day2] at [time]|[time] on [day2]} {suits us|works here|is possible}, and I have {changed|moved} the {entry|appointment} in {our|the shared} calendar. {Shall|Should} {we {keep|plan}|I {keep|plan}} {the full hour|an hour|sixty minutes} {as before|for it}?",
      "{Yes, please|Yes}, {one hour|an hour|sixty minutes} {is|should be} {right|enough}. {I have told|I will tell} {everybody|all who take part|my colleagues} that we meet on [day2] {instead of|rather than} [day], and {the points|the topics} {remain|stay} {as they were|the same|unchanged}.",
      "{Then all is settled|So that is settled|Then we are all set}. {A room|Our meeting room} is {booked|reserved} {from [time] on|for [time]}, and {coffee|something to drink} {will be|is} {ready|there}. {We hope|I hope} {the other appointment|everything on [day]} {goes|runs} {smoothly|well} {in the meantime|until then}.",
    ],
  },
  {
    name: "another room",
    details: { why: "repairs to the heating|new carpets|a broken projector|painting work|a larger group next door|work on the windows" },
    subject: "{Another room|Change of room|New room} {for|on} [day]",
    turns: [
      "{Because of|Owing to|Due to} [why] we {have to|must} {move|change rooms} on [day]: {we|our group} will {meet|sit} in [room] {at [time] as planned|from [time]|at [time]}. {Could|Would} you {tell|inform} {your colleagues|the others on your side|whoever comes with you}, and {let me know|tell us} {how many of you|with how many people you} will {come|be there}?",
      "{I have passed it on|Everybody here knows|My colleagues know}: [day], [time], [room]. {There will be|We will be} [count] of us, {though one|one of whom} {joins|comes} {a little later|some minutes later}. {Is the entrance|Is the way in} {the same as|where it was} {before|last time}?",
      "{The entrance|The way in} {has not changed|is the same|is where it was}. {From reception|From the front desk|Inside} {just|simply} follow the {signs|arrows} to [room], {where|in which} we {have put|will put} [count] chairs and {a few more|two spare ones} {around the table|in a half circle}.",
      "{Good to know|That helps|That sounds simple}, {we will find it|we will find our way}. {On [day] we|We} {should be|plan to be} {with you|in [room]} {some minutes|a little} before [time], so that {everybody|each of us} {finds a seat|can settle} {in peace|without haste}.",
    ],
  },
  {
    name: "agenda",
    details: { item: "delivery times|the holiday cover|the test results|the new forms|the storage space|the reporting dates" },
    subject: "Agenda {for|of} {our meeting on [day]|[day]}{| in [room]}",
    turns: [
      "{For|Before} our {meeting|talk} on [day] I have {put together|drafted|written down} {a short|a first|a small} agenda: {a look back|a review|last month} first, {then|after that} [item], and {at the end|finally} {open questions|the next steps}. Is {anything missing|there anything you would add}, {or do you prefer|or would you like} another order?",
      "{The agenda|Your list|The order} {looks good|is fine|makes sense} {to us|from here}. {I would only|We would only|Perhaps we could} {give|leave} {more time|ten minutes more} {to|for} [item], {since|because} {two|several} colleagues have {questions|remarks} {about it|there}, and {shorten|cut} the {review|look back} {a little|somewhat}.",
      "{That is easily done|Gladly|Good idea}: {[item] now gets|I have given [item]} {twenty-five|thirty|twenty} minutes, and the {review|look back} {only|just} {ten|five}. {If|In case} your colleagues {send|write down} their {questions|remarks} {before [day]|by [day]}, {I can|we can} {prepare|look up} {some answers|what is needed}.",
      "{They will|My colleagues will|We will} {write them down|note their questions|list their points} and {you will have|you will get|I will send} them {in good time|the day before|early enough}. {Otherwise|Apart from that} {nothing is missing|all is clear}, and we {are looking forward|look forward} to [day]{| and a good talk}.",
    ],
  },
  {
    name: "arrival of visitors",
    details: { gate: "the north gate|the main gate|the side entrance|the east entrance|the yard entrance|the front entrance" },
    subject: "{Your visit|Visit|Arrival} on [day]{|, [time]}",
    turns: [
      "{We are expecting you|We expect you|You are expected} {here |}on [day] {around|at} [time]. {Are you coming|Will you come|Do you travel} by car or {by train|by rail}? {With a car|By car} {it is best to|please} {use|take} [gate], {as|because} {the others are|the rest is} {closed|blocked} {for deliveries|in the morning|at the moment}.",
      "{We will come|We are coming} by car, {[count] people|a group of [count]} in {two|three} {vehicles|cars}. {[gate] is|I have noted [gate]; that is} {easy to find|no problem|well known to us}. {Do we need|Must we bring} {badges|passes|anything to show} {at the barrier|at reception|when we arrive}?",
      "{An identity card|Some form of identity|Any identity card} {is enough|will do}: {the porter|reception|the front desk} has {a list|the list} {with|of} [count] names and {prints|prepares} {visitor badges|the badges}. {For the cars|For parking} {there are|we have kept} {places|spaces} {to the left|on the right} {behind [gate]|of [gate]}.",
      "{That sounds|This sounds|It all sounds} {well organised|very simple|easy}. {Everybody|Each of us} will {bring|carry} {a card|an identity card}, and {should we be|if we are} {held up|delayed} on [day], I will {ring|phone} {reception|the front desk} {in good time|before [time]|from the road}.",
    ],
  },
  {
    name: "thanks for a visit",
    details: {
      part: "the tour of the workshop|the talk about storage|the look at the test bench|the round through planning|the hour in the showroom",
    },
    subject: "{Your visit|Thank you for your visit|The visit} on [day]",
    turns: [
      "{Thank you|Many thanks} {for coming|for your visit} on [day]; {especially|above all} [part] {gave us|has given us} {a lot|plenty} to {think about|discuss}. {I am writing|We are writing} {a short|a brief} {summary|report} {this week|these days}: {may|could} I {send|show} it to you {before it goes to the others|before I pass it on|first}?",
      "{The pleasure was ours|It was a pleasure|We enjoyed it too}, and [part] {was|is} {also|certainly} what {my colleagues|the others here} {talk|spoke} about {most|first}. {Please do|Yes, please} send {the summary|your report}; {we will|I will} {read|check} it {within two days|quickly|by the end of the week} and {add|note} {what|anything that} {we remember|is missing}.",
      "{The summary|The report|It} {is|will be} {one page|barely two pages} long, with {[count] points|a list of [count] points}. {Those|The lines} about [part] {are|should be} {the most important|worth a second look}, {because|since} {I was|we were} {unable to|too slow to} write {everything|every figure} down {at the time|on [day]}.",
      "{Then|So} {we will|I will} {look at|go through} [part] {with particular care|first|most carefully}. {One of us|A colleague} {took|made} {good notes|notes} on [day], {so|and therefore} {the [count] points|all [count] points} {can be|will be} {completed|filled in} {without trouble|quite easily|soon}.",
    ],
  },
  {
    name: "recommend a venue",
    details: { event: "a planning day|a team workshop|a small conference|a customer evening|a training day", count: "15|20|25|30|35|40" },
    subject: "{A venue|A place|Rooms} for [event]",
    turns: [
      "{We are planning|We want to hold|Our team plans} [event] for {about|around|some} [count] people {in your city|near you|in your area}. {You know|You surely know} {the place|the region} {better than we do|well}: {can|could} you {recommend|suggest|name} {a quiet|a bright|a pleasant} {venue|place}, {ideally|if possible} {close to|not far from} the station?",
      "{For an occasion like yours|For such an occasion|For that} {we have|we often} {used|booked} {the old mill|the house by the river|the former library|the hall at the park}: {bright|quiet|friendly} rooms, {ten|fifteen|five} minutes {on foot|by bus} from the station. [count] people {fit|can sit} there {comfortably|easily}, {also|even} {in small groups|at round tables}.",
      "{That sounds|It sounds} {just right|very suitable|exactly right}. {Is there|Do they have} {a kitchen|food} {in the house|on site}, or {did you|do you} {order|bring} {lunch|something} {from outside|from elsewhere}? {For [event]|With [count] people} {a simple|a light} {buffet|meal} {would be|is} {quite|certainly} enough {for us|here}.",
      "{They|The people there} {serve|offer} {a simple|a good} {lunch|buffet} {themselves|in the house}; you {only|just} {have to|need to} {say|tell them} {a week|some days} before {that there will be [count]|how many of the [count] come}. {When you {ring|call} them|On the phone}, do mention {us|our name}, they {know|remember} us {well|from earlier meetings}.",
    ],
  },
  {
    name: "working lunch",
    details: { kind: "something vegetarian|a quiet table|a table outside|something with fish|a table by the window" },
    subject: "{Lunch|Working lunch} on [day]",
    turns: [
      "{After|Following} our {meeting|talk} on [day] {there is|we have} time for {lunch|a bite} {together|nearby}. {Shall|Should} I {reserve|book} a table {around the corner|in the street behind us|at the market}, and {is there|do you have} {anything|something} {we should consider|to keep in mind}, for example [kind]?",
      "{Lunch|A lunch} on [day] {is a good idea|sounds very good|would be nice}, {there are|there will be} [count] of us. {If|Where} {it is possible|it can be arranged}, [kind] {would be|is} {welcome|appreciated}, {otherwise|apart from that} {we are|all of us are} {easily pleased|not difficult|open to anything}.",
      "{I have found|There is} {a small|a friendly|a good} {restaurant|place} {with room|that has space} for [count], and {they offer us|they have} [kind]. {The table is|Everything is} {booked|reserved} for {half past twelve|a quarter to one|noon}, {so that|and} {we have|there is} {an hour|some time} {before|until} {your train leaves|you drive back}.",
      "{That fits|That suits us} {very well|perfectly}, {an hour is plenty|we have enough time}. {I have told|I have written to} {the others|everybody} that {you even found|there will be} [kind], and {they|all [count]} {look|are looking} forward to {our lunch|the lunch} on [day].",
    ],
  },
  {
    name: "number of participants",
    details: { course: "first aid at work|the new planning tool|warehouse safety|clear writing|the ordering system|handling of returns" },
    subject: "{Participants|Places|List} for {the day|the course} on [course]",
    turns: [
      "{For|Regarding} {the day|the course} on [course] {I am counting|we are counting} {seats|places} {this week|at the moment}. {So far|Until now} {your company has|you have} [count] {people|names} on {the list|our list}: {is that|is this} {still right|still correct|complete}, or {do you expect|will there be} {changes|another name} {before|by} [day]?",
      "{[count] is|The number, [count], is} {still|quite} {right|correct}, but {one name|one of the names} {has to|must} be {replaced|exchanged}: {a colleague|somebody} from {dispatch|accounts|planning} {takes|will take} the {place|seat}. {All of them|The others} have {some|a little} {experience|practice} with [course], {if that helps|in case you ask}.",
      "{That does help|That is useful}: {then|so} {we can|the trainer can} {begin|start} {at a higher level|with the second part|without a long introduction}. {The new person|Your colleague} {just|only} {has to|needs to} {sign the list|write the name on the list} {when arriving|at the door}; {the other names|the rest} {are|remain} {on it already|as they were}.",
      "{I will|We will} {tell|inform} {the colleague|everybody} {about the list|about that}. {All [count]|The [count] of them} {arrive|will come} {together|by the same bus}, {so|and} {you can|the trainer can} {count on|expect} {a full|a complete} {row|table} {from the first minute|from the beginning}.",
    ],
  },
  {
    name: "date for a training",
    details: { tool: "the label printer|the booking calendar|the scanner app|the stock list|the report template|the ticket board" },
    subject: "{Training on|Introduction to} [tool]{|: [day] or [day2]|, a date}",
    turns: [
      "{We could|Our trainer could|We are able to} {come|visit you} for the {training on|introduction to} [tool] {either on [day]|on [day]} {or|or else} on [day2]. {Which|Which of these dates} {suits|is better for} your {team|people}, and would {a start|beginning} at [time] be {all right|too early for anybody}?",
      "{[day2] {is better|suits us better}|We would choose [day2]}, {since|because} {half the team|a part of the team} {is away|works elsewhere} on [day]. {A start at|Beginning at} [time] {is fine|is no problem}; {there will be|we expect} [count] people, {most of them|many of them} {new to|without practice with} [tool].",
      "{[day2] it is|So let us say [day2]|Then it is [day2]}, at [time]. {For|With} [count] people {we will|I will} {bring|pack} {two|three} {sets|copies} of {the exercises|our exercises}; {could you|would you} {make sure|see to it} that [tool] is {switched on|ready} and {somebody|one person} {knows|has} {the password|the login}?",
      "{Our|The} {office|team lead|evening shift} {takes care of|will see to} {that|it}: [tool] {will be|is going to be} {ready|running} {before|well before} [time]. {The room|The training room} {has|offers} {space|seats} for {[count] and more|more than [count]}, and {I will|we will} {welcome|meet} {you|your trainer} {at the door|downstairs} on [day2].",
    ],
  },
  {
    name: "meet at a fair",
    details: { hall: "hall 2|hall 3|hall 4|hall 5|hall 7|hall 9" },
    subject: "{The fair|Meeting at the fair|At the fair}{| on [day]|, [hall]}",
    turns: [
      "{We will have|Our company has} {a small|a modest} stand in [hall] {at the fair|this year}, and {I heard|I read} that you are {coming|visiting} {too|as well}. {Would you|Do you} {have|find} {a quarter of an hour|some minutes|half an hour} on [day], {perhaps|say} {around|at} [time], for {a coffee|a talk}?",
      "{Yes, two of us|Yes, we|Indeed, a colleague and I} {will be|are} at the fair on [day]. {[time] is|A coffee at [time] is} {a good|a very good} {moment|time}, {as|because} {our last talk|another meeting} {before that|beforehand} {ends|is} {near|close to} [hall] {anyway|in any case}.",
      "{I have noted|I have written down|So I note} [day], [time]. {You will find|You find} us {on the left side|at the back|near the east door} of [hall], {under|beside} {a green|a blue|a yellow} {sign|banner}; {if I am|should I be} {busy|in a talk}, {just|please} wait {at the counter|for a minute}.",
      "{Your stand|That} {should be|will be} {easy to find|hard to miss}. {We will|The two of us will} {walk over|come over} to [hall] {a little before|in time for} [time], and bring {a few|some} {questions|notes} {about the summer|about the coming months|from our team} {with us|along}.",
    ],
  },
  {
    name: "minutes of a call",
    details: { point: "the delivery window|the list of contacts|the second test|the start date|the storage of samples|the weekly report" },
    subject: "{Minutes|Notes} {of our call|from [day]|of [day]}",
    turns: [
      "{I have written|I have put together} the {minutes|notes} of our call on [day]: {we agreed on|all agreed on} [point], {the rest|everything else} {stays|remains} {open|as it was}, and {we speak|we talk} {again|once more} on [day2]. {Is that|Does that match} {how you remember it|what you noted}, or {did I miss|have I left out} {anything|something}?",
      "{Your notes|The minutes} {match|agree with} {mine|what I wrote down}, {with one|apart from one} {small|minor} {addition|detail}: about [point] {we also said|it was also said} that {both sides|each side} {name|would name} {one person|somebody} {for questions|to ask}. {[day2] is|Yes, [day2] is} {right|in my calendar} {too|as well}.",
      "{You are right|That is true|Indeed}, {that was missing|I forgot that}. {I have added|The notes now have} the {sentence|line} about [point]; {on our side|for us} {it will be|it is} {me|my deputy and me}, {until|at least until} {further notice|the summer}. Which name {should|may} I {write|enter} for {you|your company} before [day2]?",
      "{Please|You may} {write|enter} my name {as well|there too}; {that keeps|it keeps} things {simple|short}. {With that|So} the {minutes|notes} {of [day]|from [day]} are {complete|final} {for us|here}, and {we can|let us} {begin|start} with [point] {when we speak|at once} on [day2].",
    ],
  },
  {
    name: "a guest at a meeting",
    details: {
      subject: "planning without stress|good handovers|reading plans together|tidy warehouses|short meetings|learning from mistakes",
    },
    subject: "{A talk|Talk|A guest} on [day]: [subject]",
    turns: [
      '{For|At} our {internal|monthly} {meeting|afternoon} on [day] we {are looking for|would like} {a guest|somebody} from {another|a friendly} company, who {speaks|talks} {about|on} "[subject]" for {twenty|fifteen} minutes. Would {you|one of you|a colleague} {enjoy|like} {that|this}, {around|at} [time]?',
      '{What a nice|That is a nice|A very nice} {idea|invitation}. {I would|We would} {gladly|happily} {speak|talk} on "[subject]"; {[day] at [time]|the date, [day] at [time],} {is free|is possible}. Who {will be|is} {in the room|in the audience}, and {are slides|is a screen} {usual|wanted} {with you|there}?',
      '{There will be|You will meet} {about|some} {thirty|twenty|forty} {people|colleagues} {from all teams|from office and warehouse}, and {they like|most like} {stories|examples} {more|better} than slides. {A screen|A projector} {is there|exists} {all the same|in any case}. {After|Following} "[subject]" {there are|we plan} {ten minutes|some minutes} {for questions|to talk}.',
      '{Then|In that case} {I will|I shall} {leave out|do without} slides and tell {two|three} {stories|small examples} {about|around} "[subject]" {instead|from our own work}. {On [day] I|I} {will arrive|will be there} {shortly|a little} before [time], {to see|to look at} the room {first|in peace}.',
    ],
  },
  {
    name: "equipment of a room",
    details: { thing: "a projector|a whiteboard|two flip charts|a large screen|a pinboard|a speaker phone" },
    subject: "{[room] on [day]|Equipment on [day]|What we need on [day]}",
    turns: [
      "{For|Before} our {session|meeting} {with you |}on [day] {I have|there is} {one|a} {practical|small} question: {is there|do you have} [thing] in [room], or {should|shall} we {bring|carry} {one of ours|our own} {along|with us}? {We also|We would also} {need|like} {a few|some} {sockets|cables} {near the table|for the laptops}.",
      "{Yes, there is|You will find|There is} [thing] in [room] {already|all the time}, {so|and} you {can|may} {travel light|leave yours at home}. {Sockets are|There are sockets} {under|at} the table{, six of them|}; {should|shall} we also {put|place} {paper|pens and paper} {there|ready} for [count] {people|seats}?",
      "{Pens and paper|Paper} for [count] {would be|is} {very kind|a great help}. {If|Since} {everything is there|the large things are there}, we {only|just} {bring|carry} {one laptop|a laptop} and {some|a few} {prints|handouts}, and {come|arrive} {twenty|fifteen|ten} minutes {early|before the others} on [day] {to try|and test} {everything|the cables}.",
      "{Coming early|An early start} {is no problem|is fine}: [room] {is open|will be unlocked} {well before that|from early morning}. {Our technician|A colleague from IT|Somebody from the office} {will|can} {show|explain} {everything|how it works} {briefly|in a minute}, and {stays|remains} {nearby|in the next room} {in case|if} {anything|something} {goes wrong|does not work}.",
    ],
  },
  {
    name: "hotel near the office",
    details: { wish: "quiet rooms|a good breakfast|a lift|parking for a van|a late reception|bicycles for guests" },
    subject: "{Hotel|A hotel|One night} {near you|near your office}{|, [day]}",
    turns: [
      "{When|As} we {come|travel} to you on [day], [count] of us {stay|would like to stay} {overnight|for a night}. {Do you know|Can you suggest} {a simple|a decent|a friendly} hotel {close to|near} your {office|building}? {Important|What matters} to us is {above all|mainly} [wish], {the rest|everything else} {does not matter|is less important}.",
      "{Our visitors|Most of our guests} {usually|often} {stay|sleep} {at the small hotel|in the house} {by the church|behind the theatre|on the square|by the old bridge}, {five|ten} minutes {away|from us}. {They have|It offers} {good beds|friendly staff} and, {which matters here|as you asked}, [wish]. {For|With} [count] {people|guests} it is {wise|better} to {book|ring} {soon|a few days ahead}.",
      "{We will|I will} {ring|call} {there|the hotel} {today|this afternoon|tomorrow} and {ask for|reserve} [count] rooms. That {they have|it has} [wish] is {just|exactly} {what we hoped for|what we need}. {Is it|Would it be} {easy|possible} to {walk|come on foot} to your {office|door} {in the morning|after breakfast}{, also with luggage|}?",
      "{Yes, the walk|Yes, walking} is {easy|pleasant} and {mostly|almost entirely} {flat|through the park|along the river}, {ten minutes|a quarter of an hour} {with luggage|at most}. {You may|You can} {leave|store} {bags|suitcases} {with us|at reception} on [day], {there is|we have} {room|space} for {all of them|[count] of them}.",
    ],
  },
  {
    name: "way from the station",
    details: { way: "tram 4|bus 12|tram 7|bus 31|bus 8|tram 11" },
    subject: "{From the station|The way to you|Getting to you} on [day]",
    turns: [
      "{My train|Our train} {arrives|gets in} {shortly before|at} [time] on [day]. {How do we|How does one} {best|most easily} {get|come} {from the station|from there} to your {office|house}: {on foot|walking}, or {by bus|by tram}? {We are|There are} [count] {of us|people}, with {little|hardly any} {luggage|to carry}.",
      "{The easiest|The quickest|The best} {way|choice} is [way], {which leaves|it leaves} {right|directly} {in front of|outside} the station {every ten minutes|several times an hour}. {Get off|You get off} {after four stops|at the town hall}, {from there|then} it is {a short walk|two minutes}. {If you {prefer|like}|Otherwise}, {I can|we can} also {pick up|collect} all [count] {by car|with our van}.",
      "{That is kind|How kind}, {but|yet} {there is no need for {the car|that}|we will manage by ourselves}: [way] {sounds|is} {simple|easy} {enough|to find}. {Should the train|If the train} {be late|have a delay} on [day], {I will|we will} {send|write} {a short message|a line}; {otherwise|else} {you can|please} {expect|count on} us {half an hour|twenty minutes} after [time].",
      "{Half an hour|Twenty minutes} {is realistic|should be right}, {no need|there is no reason} to {hurry|run}. Tickets for [way] {can be had|are sold} {on board|at the stop|from the machine}. {We will|I will} {wait|be} {downstairs|at the entrance} on [day], {with|and have} {coffee|tea} {ready|upstairs} for {all of you|[count]}.",
    ],
  },
  {
    name: "handover to a colleague",
    details: { work: "the monthly figures|the shared folder|the order planning|the sample tests|the supplier list|the returns" },
    subject: "{Handover|A new contact|Who looks after things now}{|: [work]|, [work]}",
    turns: [
      "{From|Beginning with} next month {a colleague|somebody new} {looks after|takes over} [work] {in our house|here}. {I would like|It would be good} to {introduce|present} {the two of you|my colleague to you} {properly|in a call}: {could we|would you} {talk|speak} for {twenty minutes|half an hour} on [day], {around|at} [time], all three {of us|together}?",
      "{Thank you for the notice|Good to know early|It is good to hear this early}. {[day] at [time]|A talk on [day] at [time]} {works|is fine|suits me}, and {I am|we are} {curious|keen} to {meet|get to know} {your colleague|the new face}. Is there {anything|any point} about [work] {that changes|we should prepare} {for the handover|beforehand}?",
      "{Nothing changes|Hardly anything changes} {for you|on your side}: {everything about|the work on} [work] {goes on|continues} {in the same way|as before}, {with|only} {another name|a new name} {below the mails|on the phone}. {On [day]|In the call} {my colleague|the colleague} {will|would like to} {ask|hear} what {has worked well|you would improve} {so far|in the past}.",
      "{Then|So} {I will|we will} {think about|write down} {two or three|a few} {things|points} {for|concerning} [work] {until|before} [day]. {It has been|It was} {good|a pleasure} to work {with you|together}, and {we wish|I wish} {your colleague|both of you} {a smooth|an easy} {start|beginning} {there|in any case}.",
    ],
  },
  {
    name: "video or phone",
    details: { matter: "the drawings|the sample photos|the floor plan|the colour table|the time table|the sketch of the stand" },
    subject: "{[day], [time]: by phone or video|By phone or by video|Our talk on [day]}",
    turns: [
      "{For|About} our talk on [day] at [time]: {would you|do you} {prefer|like} {the phone|a phone call} or {video|a video call}? {I ask|I am asking} because of [matter], which {we may|we might} {want|need} to {look at|see} {together|line by line}, and {not everybody|not each of us} has {a camera|a second screen} {at hand|here}.",
      "{With|Because of} [matter] {video is|a video call is|I would say that video is} {better|more useful}, {even|also} without {a camera|cameras}. {I will|We will} {open|set up} {the meeting|a meeting} on [day] {a few minutes|shortly} before [time], and {[count] people|up to [count] people} can {join|take part} {from our side|here}.",
      "{Agreed|Good}, {video then|so video}. {I will|We will} {send you|mail you} [matter] {as a file|once more} {the evening before|the day before}, so {nobody|none of the [count]} depends on {my screen|our screen} {alone|only}. {If|In case} the {picture|sound} {fails|stops}, {let us|we can} {simply|just} {go on|continue} {by phone|on the phone}.",
      "{Good plan|That is a good plan|That seems wise}. {The file|Having the file} {helps|is useful} {those|everybody} {with small screens|on the road}, and {I will|I shall} {print|put} [matter] {on paper|in large} {as well|for myself}. {So we|We} {see|hear} {each other|one another} on [day] at [time], {one way or another|in whatever way}.",
    ],
  },
  {
    name: "tour of a site",
    details: { group: "our apprentices|our new planners|our trainees|our office team|our night shift" },
    subject: "{A tour|Tour|A look at your site} {for|with} [group]",
    turns: [
      "{[group] would like|With [group] we would like} to {see|look at} {a modern|another} {warehouse|workshop} {from inside|one day}, and {yours|your site} {came to mind|was mentioned} {first|at once}. {Would|Is} {a short tour|an hour with you} {be possible|something you offer}, {perhaps|for example} on [day] {from|at} [time], for [count] {people|visitors}?",
      "{All of them|Your group|All of you} {are|will be} {welcome|most welcome} {here|with us}. {[day] is|On [day] it is} {rather|fairly} {quiet|calm} {with us|in the hall}, so {an hour|a tour} {from|at} [time] {can be done|is possible}. {Please|Just} {note|remember}: {everybody needs|all [count] need} {closed|sturdy} shoes; {vests|helmets} {are here|we provide}.",
      "{Sturdy shoes|Closed shoes} {are no problem|everybody has}, {I will|we will} {remind|tell} [group] {again|twice}. {Are photos|Is taking photos} {allowed|all right} {inside|during the tour}, {or is it|or would you} {better|rather} {not|have none}? {A few|Some} of the [count] {wanted to|would} {write|make} {a report|a poster} {for the hallway|afterwards}.",
      "{Photos are|Taking photos is} {fine|allowed} {in the first part|at the entrance and in the hall}, {only|just} not at {the machines|the test benches}; {our guide|whoever guides you} {will say|says} {where|when}. {So|Then} {we expect|I expect} {you and your [count] visitors|all [count]} on [day], and {the poster|your report} {would|might} {interest|please} {us|everybody here} {too|very much}.",
    ],
  },
  {
    name: "quarterly review",
    details: { focus: "on-time deliveries|open returns|the joint stock|the forecast|quality checks|the test phase" },
    subject: "{Our review|Quarterly review|Review} {in|of} [month]",
    turns: [
      "{It is time|The time has come} to {plan|fix} our {quarterly|regular} review. {I suggest|I would suggest|We suggest} {the second|the third} [day] in [month], {at [time]|from [time] on}, {again|once more} {in [room]|at your place|at our office}, with {a focus|the main focus} on [focus]. {Does that|Would that} {fit|suit} {your plans|your calendar}?",
      "{[month] is|A date in [month] is} {good|fine}, and [day] {as well|too}. Could we {just |}{begin|start} at [time2] {instead of|rather than} [time], {since|because} {some colleagues|two of us} {travel|drive} {the same day|earlier that day}? {A focus|The focus} on [focus] {makes|would make} {good sense|sense} {this time|for us}.",
      "{[time2] is|Starting at [time2] is} {no problem|just as good}. {I will|We will} {collect|gather} the {figures|numbers} on [focus] {until then|beforehand} and {share|send} {them|the table} {a week|some days} {earlier|before}. {Who|Which side} {writes|takes} the {minutes|notes} {this time|in [month]}?",
      "{This time|In [month]} {we will|it is our turn, so we will} {write|take} the {minutes|notes}. {With|Having} {the table|the figures} on [focus] {a week|some days} {before|ahead}, {we can|everybody can} {come|be} {well prepared|prepared}. {[day] at [time2] is|I have put [day], [time2],} {in the calendar|in our plan} {now|here}.",
    ],
  },
];
