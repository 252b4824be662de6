//! The table of languages: how each is stemmed and written, and its words.
//!
//! The lists are short on purpose: the words a text cannot do without are enough to tell its
//! language, and a rare function word is told from a telling word by its frequency. Where as much speaks for two
//! languages it is the earlier in the table, so those that fewer people write stand last, and without the words
//! that say something in English ("see", "go", "bet").

use snowball_stemmers_rs::Algorithm;

/// A language, as far as finding needs it.
pub(super) struct Row {
    /// Its two letters, as ISO 639-1 has them.
    pub(super) code: &'static str,
    pub(super) stemmer: Algorithm,
    /// The letters beyond those of English that it is written with. None where another language that is not here
    /// has the same: Hebrew is no Yiddish.
    pub(super) letters: &'static str,
    /// Words that say nothing by themselves.
    pub(super) stop: &'static str,
    /// Words that say something, and are in so many texts that they tell its language too.
    pub(super) common: &'static str,
}

const fn row(
    code: &'static str,
    stemmer: Algorithm,
    letters: &'static str,
    stop: &'static str,
    common: &'static str,
) -> Row {
    Row { code, stemmer, letters, stop, common }
}

pub(super) const TABLE: [Row; 35] = [
    row(
        "en",
        Algorithm::English,
        "",
        "a an the and or but if of at by for with about to from in on off out over under up down into onto than then so is am \
         are was were be been being do does did doing done have has had having will would shall should can could may might must \
         i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs this that \
         these those who whom whose which what when where why how there here not no nor as some any all both each such only own \
         same too very just also s t d ll ve re m don doesn didn isn aren wasn weren won wouldn couldn shouldn i'm i've i'll \
         i'd you're you've you'll you'd it's he's she's that's there's what's who's where's how's let's don't doesn't didn't \
         isn't aren't wasn't weren't won't wouldn't couldn't shouldn't can't cannot hasn't haven't hadn't please tell know get \
         got",
        "",
    ),
    row(
        "de",
        Algorithm::German,
        "äöüß",
        "der die das den dem des ein eine einen einem einer eines und oder aber wenn von bei für mit über zu zum zur aus in im \
         an am auf ist bin bist sind war waren sein hat habe haben hatte wird werden kann ich mich mir mein meine meinen du \
         dich dir dein er ihn ihm sie es wir uns unser ihr ihnen sich nicht kein keine auch nur noch schon so wie was wer wo \
         wann warum welche welcher welches dass da dann hier",
        "zwei drei vier fünf sechs sieben acht neun zehn heute morgen gestern jeden jede alle neue neuen gern sehr nach vor bis \
          beim jetzt immer",
    ),
    row(
        "fr",
        Algorithm::French,
        "àâæçéèêëîïôœùûüÿ",
        "le la les un une des du de d l et ou mais si à au aux avec pour par sur dans en chez est es suis sont était être été a \
         ai as ont avoir avait je me moi mon ma mes tu te toi ton ta tes il elle on nous notre nos vous votre vos ils elles \
         leur leurs se ce cet cette ces qui que quoi quand où pourquoi comment quel quelle quels quelles combien ne pas plus n qu c j s \
         m t y",
        "deux trois quatre cinq huit neuf dix aujourd'hui demain hier chaque tous très bien aussi avant après",
    ),
    row(
        "es",
        Algorithm::Spanish,
        "áéíóúüñ",
        "el la los las un una unos unas y o pero si de del al a con para por sobre en es soy eres son era fue ser estar está \
         han ha he había yo me mi mis tú te tu tus él ella nosotros nos nuestro vosotros ellos ellas se su sus lo le les este \
         esta esto ese esa eso que qué quién cuándo dónde cómo cuál cuáles cuánto no ni muy ya también más como",
        "tres cuatro cinco seis siete ocho nueve diez hoy mañana ayer cada bien hasta desde tiene",
    ),
    row(
        "it",
        Algorithm::Italian,
        "àèéìòù",
        "il lo la i gli le un uno una e o ma se di del della dei delle da dal in nel nella con su per tra fra è sono sei era \
         essere ho ha hai hanno avere io mi me mio mia tu ti te tuo tua lui lei noi ci nostro voi vi loro si suo sua che chi \
         quando dove come perché quale quali non più anche a al alla ai questo questa quello quella",
        "tre quattro cinque sette nove dieci oggi domani ieri ogni tutto tutti molto bene dov'è c'è cosa sul sulla nei \
         dalla quanto li",
    ),
    row(
        "pt",
        Algorithm::Portuguese,
        "ãõáâàçéêíóôú",
        "o a os as um uma uns umas e ou mas se de do da dos das em no na nos nas com para por pelo pela é sou são era foi ser \
         está estar tem tenho eu me mim meu minha tu te teu você vocês ele ela nós nosso eles elas seu sua que quem quando onde \
         como qual quais quanto não nem já também mais ao à este esta isso esse essa",
        "dois duas três quatro cinco sete oito nove dez hoje amanhã ontem cada todas muito bem até há pelos aos às",
    ),
    row(
        "nl",
        Algorithm::Dutch,
        "éëïóüè",
        "de het een en of maar als van bij voor met over naar uit in op aan is ben bent zijn was waren heb hebt heeft hebben \
         had wordt worden kan ik mij me mijn jij je jou jouw hij hem haar zij ze wij we ons onze jullie u uw hun zich niet geen \
         ook nog wel zo hoe wat wie waar wanneer waarom welke dat dit die deze er dan te om",
        "twee drie vier vijf zeven acht negen tien vandaag morgen gisteren goed graag nieuwe hoeveel tussen \
         krijgt",
    ),
    row(
        "sv",
        Algorithm::Swedish,
        "åäöé",
        "en ett den det de och eller men om av vid för med över till från i på ur är var varit vara har hade ha blir jag mig \
         min mitt mina du dig din ditt han honom hon henne vi oss vår ni er dem sig sin inte också bara så hur vad vem var när \
         varför vilken som att här där",
        "två tre fyra fem sju åtta nio tio idag imorgon igår varje alla mycket nya får skall måste gärna länge hos \
         efter innan",
    ),
    row(
        "da",
        Algorithm::Danish,
        "æøåé",
        "en et den det de og eller men hvis af ved for med over til fra i på ud er var været være har havde have bliver jeg mig \
         min mit mine du dig din dit han ham hun hende vi os vores jer dem sig sin ikke også kun så hvordan hvad hvem hvor \
         hvornår hvorfor hvilken som at her der",
        "tre fem syv otte idag imorgen hver alle meget godt nye får skal må gerne længe hos efter",
    ),
    row(
        "no",
        Algorithm::Norwegian,
        "æøåéòô",
        "en et ei den det de og eller men hvis av ved for med over til fra i på ut er var vært være har hadde ha blir jeg meg \
         min mitt mine du deg din ditt han ham hun henne vi oss vår dere dem seg sin ikke også bare så hvordan hva hvem hvor \
         når hvorfor hvilken som at her der",
        "tre fem sju åtte idag hver alle mye godt nye får skal må gjerne lenge hos etter",
    ),
    row(
        "fi",
        Algorithm::Finnish,
        "äöå",
        "ja tai mutta jos on olen olet ovat oli olivat olla minä minun minut minulla sinä sinun hän hänen me meidän te teidän \
         he heidän se sen sitä ne tämä tuo että joka mikä mitä kuka missä milloin miksi miten kun niin kuin ei en et eivät myös \
         vain nyt mistä mihin kenellä kenen kuinka",
        "kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen tänään huomenna eilen kaikki hyvin hyvä uusi uuden \
         pitää saa saavat mielellään entä molemmat",
    ),
    row(
        "ru",
        Algorithm::Russian,
        "абвгдежзиклмнопрстуфхцчшйщъыьэюяё",
        "и или но если в во на с со к ко по за из у от до о об при для не ни я меня мне мной мой моя мои ты тебя тебе твой он \
         его ему она её ей мы нас нам наш вы вас вам ваш они их им это этот эта эти то тот та те что кто где когда почему как \
         какой какая какие был была было были быть есть бы же ли уже только ещё так там тут кого сколько",
        "два две три четыре пять шесть семь восемь девять десять сегодня завтра вчера каждый каждую все всё очень нет надо \
         нужно новый новую после перед",
    ),
    row(
        "uk",
        Algorithm::Ukrainian,
        "абвгдежзиклмнопрстуфхцчшйщьюяіїєґ",
        "і й та або але якщо в у на з із зі до по за від про при для не ні я мене мені мій моя мої ти тебе твій він його йому \
         вона її ми нас нам наш ви вас вам ваш вони їх це цей ця ці те той та що хто де коли чому як який яка які був була було \
         були бути є би же вже тільки ще так там тут кого скільки",
        "два дві три чотири п'ять шість сім вісім дев'ять десять сьогодні завтра вчора кожен кожну всі все дуже немає треба \
         потрібно новий нову після перед",
    ),
    row(
        "pl",
        Algorithm::Polish,
        "ąćęłńóśźż",
        "i lub ale jeśli w we na z ze do po za od o przy dla nie ja mnie mi mój moja moje ty ciebie ci twój on jego jemu ona \
         jej my nas nam nasz wy was wam oni ich im to ten ta te tego tej że co kto gdzie kiedy dlaczego jak jaki jaka jakie był \
         była było byli być jest są się już tylko jeszcze tak tam tu czy",
        "dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć dziś jutro wczoraj każdy każda każdą bardzo ile \
         trzeba nowy nową nowe przed moją nasi obie",
    ),
    row(
        "cs",
        Algorithm::Czech,
        "áčďéěíňóřšťúůýž",
        "a i nebo ale jestli v ve na s se k ke po za z ze u od do o při pro ne ni já mě mně můj moje ty tebe tvůj on jeho jemu \
         ona její my nás nám náš vy vás vám oni jejich to ten ta ty toho že co kdo kde kdy proč jak jaký jaká jaké byl byla \
         bylo byli být je jsou jsem už jen ještě tak tam tu",
        "dva dvě tři čtyři pět šest sedm osm devět deset dnes zítra včera každý každou velmi kolik má mou naše naši nový novou \
         musí rád obě",
    ),
    row(
        "tr",
        Algorithm::Turkish,
        "çğıöşüâî",
        "ve veya ama eğer bir bu şu o ben beni bana benim sen seni sana senin onu ona onun biz bizi bize bizim siz sizi onlar \
         için ile gibi kadar daha çok en de da ki mi mı mu mü ne kim nerede ne zaman neden niçin nasıl hangi değil var yok \
         olarak olan oldu",
        "iki üç dört beş altı yedi sekiz dokuz bugün yarın dün yeni iyi kaç kimde aldı gitti geldi lazım gerek günü",
    ),
    row(
        "hu",
        Algorithm::Hungarian,
        "áéíóöőúüű",
        "a az egy és vagy de ha van vagyok vagy vannak volt voltak lenni én engem nekem te téged ő neki mi minket nekünk ti ők \
         nekik ez ezt azt hogy ami aki mit ki hol mikor miért hogyan melyik nem ne is csak már még így úgy itt ott meg el fel \
         ki le be kinek kinél mennyi mennyibe",
        "két kettő három négy öt hét nyolc kilenc tíz holnap tegnap minden nagyon jó új kell mindkét nincs lesz",
    ),
    row(
        "ro",
        Algorithm::Romanian,
        "ăâîșțşţ",
        "un o unei unui și sau dar dacă de la cu pentru pe în din despre este sunt ești era fost fi am ai are avem au eu mă mie \
         meu mea tu te tău el ea noi ne nostru voi ei ele lor se său sa ce cine când unde de cum care nu nici mai și acest \
         această acel",
        "două trei patru cinci șase șapte nouă zece azi mâine ieri fiecare toate foarte trebuie cât lui prin după",
    ),
    row(
        "id",
        Algorithm::Indonesian,
        "",
        "dan atau tetapi jika di ke dari pada untuk dengan oleh dalam yang ini itu adalah saya aku kamu anda dia kami kita \
         mereka apa siapa di mana kapan mengapa bagaimana tidak bukan sudah belum akan bisa juga hanya ada berapa",
        "tiga empat enam tujuh delapan sembilan sepuluh besok kemarin setiap tiap semua sangat baik baru punya \
         lewat suka",
    ),
    row(
        "el",
        Algorithm::Greek,
        "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
        "ο η το οι τα του της των τον την ένας μία ένα και ή αλλά αν από με για σε στο στη στην στον είναι είμαι ήταν έχω έχει \
         εγώ με μου εσύ σου αυτός αυτή αυτό εμείς μας εσείς σας αυτοί τους τι ποιος πού πότε γιατί πώς δεν μη να θα που ότι",
        "",
    ),
    row(
        "ar",
        Algorithm::Arabic,
        "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي",
        "و أو ثم لكن إذا في من على إلى عن مع هو هي هم أنا نحن أنت هذا هذه ذلك تلك الذي التي ما ماذا من متى أين لماذا كيف كان \
         كانت لا لم لن قد كل كم",
        "اليوم غدا أمس عند عنده بعد قبل يوم يجب",
    ),
    row(
        "hi",
        Algorithm::Hindi,
        "अआइईउऊऋऌएऐऑओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
        "और या लेकिन अगर में से को का की के पर तक ने है हैं था थी थे हो मैं मुझे मेरा मेरी मेरे तुम आप वह वे यह ये हम क्या कौन \
         कब कहाँ क्यों कैसे नहीं न भी ही तो कि जो किसके किसका कितना कितने हमारा हमारे हमारी",
        "दो तीन पाँच दस आज कल हर सब बहुत नया नयी पास साथ हुआ गया आया दिया रहा रही चाहिए वाला दोनों दूसरा",
    ),
    row(
        "hy",
        Algorithm::Armenian,
        "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
        "և ու կամ բայց եթե է եմ ես են էր էին մեջ հետ համար մասին որ որը ով ինչ երբ որտեղ ինչու ինչպես դու նա մենք դուք նրանք իմ \
         քո նրա մեր ձեր այս այդ այն չէ ոչ մի էլ նաև արդեն շատ մոտ ում",
        "",
    ),
    row(
        "eu",
        Algorithm::Basque,
        "ñ",
        "eta edo baina da dira zen ziren naiz dut du dute nire zure bere gure hau hori bai zer non noiz nola zergatik ere oso \
         baino dago daude izan nork zein zenbat ditut dugu zaio behar",
        "bi hiru lau bost zazpi zortzi bederatzi hamar gaur bihar atzo ondo berria beste egin egiten egun",
    ),
    row(
        "ca",
        Algorithm::Catalan,
        "àçèéíïòóúü",
        "el els la les un una uns unes i o però si de del dels a al als amb per sobre en és són era ser estar està han ha havia \
         jo em meu meva meus tu et teu ell ella nosaltres ens nostre vosaltres ells elles es seu seva seus ho aquest aquesta \
         això aquell què qui quan on com quin quina quant no ni molt ja també més perquè hi",
        "quatre cinc vuit deu avui demà ahir cada tots bé sense té",
    ),
    row(
        "eo",
        Algorithm::Esperanto,
        "ĉĝĥĵŝŭ",
        "la kaj aŭ sed se de da al por kun en sur estas estis estos esti mi vi li ŝi ŝia ĝi ĝia ni nia ili ilia oni tiu tio ĉi \
         kiu kio kiam kie kial kiel ne jes ankaŭ nur jam tre pli el ke mian miaj nian niaj kion kiun kiom je ĉe",
        "tri kvar kvin naŭ dek hodiaŭ morgaŭ hieraŭ ĉiu ĉiun ĉiuj novan havas antaŭ",
    ),
    row(
        "et",
        Algorithm::Estonian,
        "äöüõšž",
        "ja või aga kui ei oli olid olen olema mina minu mind sina sinu tema meie teie nemad nende seda selle mis kes kus \
         millal miks kuidas kas ka siis veel juba väga ning et on mu nad mida keda kelle kellel kust kuhu",
        "kaks kolm neli viis kuus seitse kaheksa üheksa kümme täna homme eile iga igal kõik hästi uus uue uut palju peab \
         vaja saavad mõlemad juures kell",
    ),
    row(
        "ga",
        Algorithm::Irish,
        "áéíóú",
        "an na agus nó ach má tá bhí níl raibh mé tú sé sí muid sibh siad do ár bhur ar ag le ó faoi seo cá cathain cén conas \
         ní is i chuig freisin mo sa cé don ón bhfuil leis gach",
        "dhá trí ceithre cúig seacht ocht naoi deich inniu amárach inné maith nua againn agam agat aige fuair \
         cheannaigh",
    ),
    row(
        "lt",
        Algorithm::Lithuanian,
        "ąčęėįšųūž",
        "ir ar jei į iš prie po už apie yra buvo būti esu mano tavo jis ji jos mes mūsų jūs jūsų jie tai tas ta šis ši kas kur \
         kada kodėl kaip koks kokia ne taip dar jau tik labai nuo iki kam ką kiek pas",
        "trys keturi keturios penki šeši septyni aštuoni devyni dešimt šiandien rytoj vakar kiekvieną kiekvienas visi gerai \
         naujas naują reikia nebus nėra",
    ),
    row(
        "ne",
        Algorithm::Nepali,
        "अआइईउऊऋऌएऐऑओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
        "र वा तर यदि मा बाट लाई को का की ले छ छन् थियो थिए हो हुन् म मलाई मेरो मेरी तिमी तपाईं उ उनी यो यी त्यो ती हामी के \
         कहिले कहाँ किन कसरी छैन होइन पनि नै त कि जो अनि हाम्रो हाम्रा मेरा कति कोसँग",
        "दुई दश आज भोलि हिजो हरेक सबै धेरै राम्रो नयाँ वटा दुवै भयो गयो आयो आए गर्छ गर्ने अर्को जान्छ सम्म सँग हुन्छ हुँदैन \
         ल्यायो रुपैयाँ",
    ),
    row(
        "fa",
        Algorithm::Persian,
        "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگکی",
        "و یا اما اگر در از به با بر تا برای که را این آن است بود هست هستم شد می من تو او ما شما آنها چه کی کجا چرا چگونه چطور \
         نه هم خود هر یک ای پیش کیست کجاست ها های هایی هایم هایت هایش",
        "دو سه چهار پنج هفت هشت ده امروز فردا دیروز همه خیلی خوب تازه باید چند کرد",
    ),
    row(
        "sr",
        Algorithm::Serbian,
        "čćđšžабвгдежзиклмнопрстуфхцчшђјљњћџ",
        "i ili ako u na s sa k ka po za iz od do o pri ne ni ja mene meni moj moja moje ti tebe tvoj on njega ona njen mi nas \
         nam naš vi vas oni njih to taj ta te što šta ko gde kada kad zašto kako koji koja koje bio bila bilo bili biti je su \
         smo već samo još tako tamo ovde da li se и или али ако у на са к по за из од до о при не ни ја мене мени мој моја моје \
         ти тебе твој он њега она њен ми нас нам наш ви вас они њих то тај та те што шта ко где када кад зашто како који која \
         које био била било били бити је су сам смо већ само још тако тамо овде да ли се gdje tko kod koga nisu tu код кога \
         нису ту",
        "dva dve tri četiri šest sedam osam devet deset danas juče svaki svakog sve veoma dobro novu novi treba nema naši \
         naša naše obe oba kupio ima два две три четири пет шест седам осам девет десет данас сутра јуче сваки сваког све веома \
         добро нову треба нема наши наша обе купио има",
    ),
    row(
        "ta",
        Algorithm::Tamil,
        "அஆஇஈஉஊஎஏஐஒஓஔகஙசஜஞடணதநனபமயரறலளழவஷஸஹ",
        "மற்றும் அல்லது ஆனால் என்று ஒரு இந்த அந்த இது அது நான் என் எனது நீ நீங்கள் உங்கள் அவர் அவன் அவள் நாம் நாங்கள் அவர்கள் \
         என்ன யார் எப்போது எங்கே ஏன் எப்படி எந்த இல்லை உள்ளது இருந்தது கூட மிகவும் தான் எங்கள் யாரிடம் யாருக்கு உள்ளன",
        "",
    ),
    row(
        "yi",
        Algorithm::Yiddish,
        "",
        "און אָדער אבער אויב אין אויף פון צו מיט ביי פֿאַר פאר איז זענען געווען האט האב בין איך מיר מיין דו דיר דיין ער זי עס \
         איר זיי דער די דאָס דאס דעם וואס וואָס ווער וואו ווען פארוואס ווי נישט ניט אויך נאר נאָר שוין נאך האָט האָב מײַן מײַנע \
         דײַן וווּ װוּ װאָס װער װען װי אַ אַן אַז נאָך פֿון בײַ בײַם מען זיך אונדזער אונדזערע",
        "צוויי דרײַ פֿיר פֿינף זיבן אַכט נײַן צען הײַנט מאָרגן נעכטן יעדן אַלע זייער גוט דאַרף",
    ),
    row(
        "st",
        Algorithm::Sesotho,
        "",
        "ke ka ea oa tsa tse la le li se ba ho ha hore na rona bona joang neng hokae mang kapa empa hape hobane \
         haholo e o eo",
        "ja tlile holim'a",
    ),
];
