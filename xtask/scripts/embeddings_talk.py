"""Conversations that embeddings.py learns from: what people tell an assistant, and how it is asked for later.

The frames are ours; what fills them is WordNet's or from a list of everyday topics below. Nothing
here was taken from an evaluation set.
"""

NAMES = """Anna Ben Carla David Elena Felix Grace Hannah Ivan Julia Kevin Laura Marco Nina Oscar Paula Quentin
Rosa Sam Tina Umar Vera Will Yara Zoe Alice Bob Clara Daniel Emma Frank Gina Henry Irene Jack Kate Leo Maria Nora
Olga Peter Rachel Simon Teresa Victor Wendy Adam Bella Chris Diana Eric Fiona George Helen Isaac Jane Karl Lily
Michael Natalie Owen Priya Ravi Sofia Thomas Ursula Vincent Walter Amir Chen Dmitri Fatima Hiro Ingrid Jamal Kofi
Lucia Mei Omar Pedro Sanjay Yuki Alex Jordan Taylor Morgan Casey Robin Jamie""".split()
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMBERS = "two three five six 7 10 12 15 20 30 45 60 85 100 250 500".split()
TIMES = ["last week", "yesterday", "last month", "in {m}", "on {d}", "two years ago", "recently", "today", "last summer",
         "this morning", "a few days ago", "in 20{z}", "on {m} {n}"]
RELATIONS = """sister brother mother father colleague manager neighbour friend cousin roommate teacher partner
daughter son mentor boss""".split()
OPENINGS = ["Hey {o}! ", "Hi {o}, ", "Hey, ", "Oh wow! ", "That's great to hear! ", "Thanks, {o}! ", "Haha, true. ",
            "Good question. ", "Well, ", "Honestly, ", "By the way, ", "Guess what? ", "I'm so happy for you! ",
            "Sounds good. ", "Wow, {o}, that's awesome! ", "Aww, thanks! ", "Yeah, totally. ",
            "Hope you're doing well. ",
            "Long time no see! ", "I'm sorry to hear that, {o}. ", "Congrats, {o}! ", "Sure! ", "Of course. "]
CLOSINGS = [" How about you?", " What do you think?", " Anyway, how have you been?", " It means a lot to me.",
            " I can't wait!", " Talk to you soon!", " It was so much fun.", " Let me know what you think.",
            " Any tips?", " Have you ever tried that?", " Thanks for your help!", " It's been a long week.",
            " Can you help me with that?", " I really appreciate it.", " Take care!",
            " Could you review it and suggest improvements?",
            " How should I go about it?", " Can you make a plan for me?", " I'm not sure where to start."]

# By WordNet's lexicographer files: what people say of such things, and what is asked about it later.
# x the thing, y another, h its kind, a other words for it, p o people, t m d times, n k numbers;
# s who is asked about, with {do}, {be}, {have} and {own} in the form that s wants.
KINDS = {
    5: (["I adopted a {x} from the shelter {t}", "we saw a {x} while hiking {t}",
         "my {x} is sick, so I took it to the vet {t}",
         "{p} is terrified of any {x}", "our {x} is called {o} and loves sleeping on the couch",
         "I volunteer with a {x} rescue group"],
        ["What pets {do} {s} have?", "Which animal did {s} see?", "What is the name of {own} {h}?",
         "When did {s} get the {h}?"]),
    13: (["I made {x} for dinner {t}", "I'm allergic to {x}", "{p} can't stand {x}", "my favorite food is {x}",
          "we tried a new {x} recipe {t}",
          "I stopped eating {x} because of my health", "please don't suggest anything with {x}",
          "{p} brought {x} to the party"],
         ["What {do} {s} like to eat?", "What did {s} cook {t}?", "Can you suggest a dinner for tonight?",
          "{be} {s} allergic to anything?", "What {h} {do} {s} avoid?"]),
    6: (["I bought a new {x} {t}", "my {x} broke {t} and I have to get it repaired",
         "{p} gave me a {x} for my birthday",
         "I've been saving up for a {x}", "I left my {x} at {p}'s place", "the {x} cost me {n} dollars",
         "we are restoring an old {x}",
         "I collect every kind of {x}", "I need a {x} for the project at work"],
        ["What did {s} buy {t}?", "How much was the {h}?", "What {h} {do} {s} own?", "Who gave {s} the {h}?",
         "What {do} {s} collect?", "Which {h} broke?"]),
    15: (["I moved to {x} {t}", "we are planning a trip to {x} in {m}", "{p} grew up in {x}", "I got back from {x} {t}",
          "I have a conference in {x} next week", "my sister lives near the {x}"],
         ["Where {do} {s} live now?", "Where did {s} travel in {m}?", "Where {be} {s} from?",
          "Which {h} did {s} visit?"]),
    18: (["I started working as a {x} {t}", "my brother is a {x}", "{p} wants to become a {x}",
          "I talked to a {x} about it {t}",
          "{p} used to be a {x} before the kids were born", "I'm meeting the {x} on {d}"],
         ["What {do} {s} do for a living?", "What is {own} job?", "Who did {s} talk to?",
          "What kind of {h} {be} {s}?"]),
    4: (["I signed up for a {x} class", "I've been doing {x} for {n} years", "{p} and I talked about {x} {t}",
         "{x} helps me relax after work",
         "I had to give up {x} because of an injury", "we started a {x} group at work", "I finished my first {x} {t}"],
        ["What hobbies {do} {s} have?", "How long {have} {s} been doing {h}?", "What {do} {s} do to relax?",
         "What activity did {s} start {t}?",
         "Can you recommend something to do this weekend?"]),
    11: (["the {x} is on {d} at {n} o'clock", "I went to a {x} with {p} {t}",
          "{p} is organizing a {x} for the neighbours", "the {x} changed my life",
          "we missed the {x} because of the traffic"],
         ["When is the {h}?", "Which {h} did {s} attend?", "What {be} {s} organizing?",
          "What event did {s} go to {t}?"]),
    12: (["I felt a lot of {x} when {p} told me {t}", "{p} is dealing with {x} after the move",
          "walking gives me a sense of {x}"],
         ["How did {s} feel about it?", "How {be} {s} doing emotionally?", "What {do} {s} feel on a walk?"]),
    9: (["I'm studying {x} at university", "I read a book about {x} {t}", "{p} is giving a talk on {x}",
         "I'd like to understand {x} better",
         "my thesis is about {x} and {y}"],
        ["What {do} {s} study?", "What book did {s} read?", "What is {own} research about?",
         "What would {s} like to learn?"]),
    10: (["I'm writing a {x} about my grandmother", "{p} sent me a {x} {t}", "I got a {x} from the office about {y}",
          "I watched a {x} with {p} {t}"],
         ["What {be} {s} writing?", "What did {s} receive {t}?", "What did {s} watch?"]),
    14: (["I joined a {x} {t}", "{p} is part of the {x}", "our {x} meets every {d}", "the {x} has {n} members now"],
         ["What {h} did {s} join?", "Which organization {be} {s} a member of?", "When does the {h} meet?"]),
    20: (["I planted {x} in the garden {t}", "{p} gave me {x} for the balcony",
          "the {x} died because I forgot to water it"],
         ["What did {s} plant?", "What grows in {own} garden?", "Which {h} died?"]),
    8: (["I hurt my {x} {t}", "{p} is having surgery on the {x} in {m}", "my {x} has been sore since the marathon"],
        ["What injury {do} {s} have?", "Which body part did {s} hurt?", "Why did {s} see a doctor?"]),
    26: (["the doctor says it's {x}", "{p} has been struggling with {x}", "{x} runs in our family",
          "I want to avoid {x} this year"],
         ["What health problems {do} {s} have?", "What {be} {s} struggling with?", "What did the doctor say?"]),
}
# What is said about anything, and how it is asked for in other words.
MANNERS = {
    "preference": (["I prefer {x} to {y}", "I'm more into {x} than {y}", "I'd rather have {x} than {y}",
                    "I don't like {x} at all", "{x} has never been my thing",
                    "I really enjoy {x} when I have time for it", "I like to keep {h} simple, so {x} suits me best",
                    "if I can choose, I go for {x}",
                    "I value {x} more than anything else in a {h}"],
                   ["What are my preferences for {h}?", "Could you recommend a good {h}?",
                    "I'm looking for a {h}, any ideas?", "Which {h} would suit me?",
                    "What kind of {h} do I like?", "Help me choose between {a} and {y}.", "What should I get?",
                    "{do} {s} like {a}?", "What would you suggest for my {h}?"]),
    "instruction": (["please remember that I always want {x} with it", "never suggest {x} to me again",
                     "when we talk about {h}, always mention {x} first",
                     "from now on keep {x} out of your answers", "always add {x} when I ask about {h}",
                     "whenever I ask about {h}, answer in short bullet points",
                     "please use {x} in your examples", "always tell me the exact version when you mention {x}",
                     "when you explain {x}, show me the steps one by one",
                     "always format dates as day, month and year when I ask about my {h}"],
                    ["How should answers about {h} look?", "What did I ask you to do about {h}?",
                     "Can you explain {a} to me?", "How does {a} work?", "Which {h} should I use?",
                     "What is the best way to handle {h}?", "What rules did I give you?", "Tell me more about {h}.",
                     "Show me an example with {h}."]),
    "progress": (["I finally finished the {x} and it took {n} weeks",
                  "I've completed {n} of {k} parts of the {x} so far", "the {x} is about {n} percent done",
                  "I improved the {x} from {n} to {k} percent", "I've read {n} pages about {x} {t}",
                  "I got {n} points in the {x} test", "I spent {n} hours on {x} {t}",
                  "we cut the time for the {x} from {k} to {n} minutes",
                  "I'm {n} days into {x} and feel better already"],
                 ["How far {have} {s} come with {a}?", "What is the status of the {h}?",
                  "How much did the {h} improve?", "How long did the {a} take?",
                  "How many parts of the {h} are left?", "How much time did I spend on {h}?",
                  "What {have} {s} achieved so far?", "How many hours in total went into {a}?"]),
    "plan": (["can you help me plan the {x} for {d}?", "I want to finish the {x} by {m} {n}",
              "my goal is to learn {x} this year", "I'm going to start with {x} in {m}",
              "the deadline for the {x} is {m} {n}", "next I'll take care of the {x} and then of {y}",
              "I scheduled the {x} for {d} at {n}", "my budget for the {x} is {k} dollars",
              "I'm thinking about whether {x} or {y} should come first"],
             ["When is the {h} due?", "What are my goals?", "What did I plan for {m}?", "When will I do the {a}?",
              "How much can I spend on the {h}?", "What comes after the {y}?",
              "In what order did I want to do things?", "How many weeks are left until the {h}?",
              "What is on my schedule for {d}?"]),
    "change": (["the {x} was moved from {d} to {e}", "I changed my mind about {x}, I'd rather have {y}",
                "the {x} costs {n} dollars now, not {k}", "{p} is no longer in charge of the {x}, {o} is",
                "I've never done any {x} before", "we switched from {y} to {x} {t}", "I have {n} of {x} at home now",
                "the number of {x} went up to {k}"],
               ["When is the {h} now?", "Which {h} do we use at the moment?", "How much is the {h} at present?",
                "Who is responsible for the {a}?", "{have} {s} ever worked with {a}?",
                "What did {s} switch to?", "How many {a} are there now?", "What is the latest about the {h}?"]),
    "decision": (["we decided to use {x} instead of {y} for the project", "I chose {x} because it was cheaper than {y}",
                  "{p} suggested {x}, but I went with {y}",
                  "after talking to {p} I agreed to the {x}", "I turned down the {x} because of the family"],
                 ["Why did {s} choose {a}?", "What did we decide about the {h}?", "What was the reason against {a}?",
                  "What did {p} suggest?", "How did {s} settle the question of {h}?"]),
    "trouble": (["I'm trying to set up {x} but it fails with an error",
                 "I'm stuck with the {x} and don't know what is wrong", "the {x} is too slow, it takes {n} seconds",
                 "I worry that the {x} won't be ready in time", "I had an argument with {p} about the {x}",
                 "{p} told me that the {x} is not available until {m}"],
                ["What went wrong with the {a}?", "What problem did {s} have with {h}?", "Which error came up?",
                 "What worries {s}?", "How slow was the {h}?", "How was the trouble with {a} solved?"]),
    "people": (["{p}, my {r}, knows a lot about {x}", "I met {p} at a {x} event in {m}",
                "my {r} {p} and I share an interest in {x}", "{p} is {k} years old and loves {x}",
                "{p} recommended {x} to me {t}", "my {r} {p} helps me with the {x}"],
               ["Who is {p}?", "How do I know {p}?", "Who helps me with {a}?", "Where did I meet {p}?",
                "Who is into {h}?", "Who recommended the {a}?", "How old is {p}?"]),
}
ANY = ["What did {s} say about {a}?", "When did {s} mention {a}?", "Tell me about {s} and {a}.", "Do you remember the {a}?",
       "How {do} {s} feel about {a}?",
       "What happened with the {a}?", "{a}?", "Remind me what I told you about {a}.", "Which {h} was it?",
       "How many times have I mentioned {a}?",
       "Where can I find {a}?", "Summarize what we discussed about {a}.", "What do you know about my {h}?",
       "In what year did {s} start with {a}?"]
# thing, its kind, other words for it
TOPICS = [tuple(topic.split(",")) for topic in """
Flask,web framework,web app;Django,web framework,website;React,frontend library,user interface
TypeScript,programming language,typed code;Python,programming language,scripting;Rust,programming language,systems code
Java,programming language,backend code;PostgreSQL,database,data storage;SQLite,database,local data
MongoDB,database,documents;Redis,cache,caching;Docker,container,deployment;Kubernetes,cluster,orchestration
GitHub Actions,pipeline,continuous integration;pytest,test suite,unit tests;Git,version control,branches
OAuth,login,authentication;JWT,token,session handling;password hashing,security,protecting accounts
rate limiting,security,too many requests;REST API,interface,endpoints;GraphQL,interface,queries
WebSocket,connection,live updates;CSS grid,layout,page design;dark mode,design,color theme
responsive design,layout,mobile screens;database migration,schema,table changes;indexing,performance,slow queries
logging,monitoring,error messages;error handling,code quality,exceptions;refactoring,code quality,cleaning up code
memory leak,bug,growing usage;sprint,schedule,two week plan;code review,teamwork,pull request
unit testing,quality,coverage;neural network,model,machine learning;linear regression,model,prediction
data cleaning,analysis,missing values;spreadsheet,document,table of numbers;dashboard,report,charts
newsletter,writing,email to readers;cover letter,application,job search;resume,application,career history
job interview,career,hiring talk;salary,income,pay;promotion,career,new position;remote work,career,working from home
freelancing,career,self-employment;mortgage,loan,buying a house;credit card,debt,payments
savings account,money,emergency fund;index fund,investment,retirement money;tax return,finances,filing taxes
rent,budget,monthly cost;groceries,budget,food shopping;insurance,finances,coverage;will,estate,inheritance
trust fund,estate,assets for the children;patent,law,protecting an invention;contract,law,agreement
visa,travel,immigration;passport,travel,documents;flight,travel,plane ticket;hotel,travel,place to stay
road trip,vacation,driving holiday;camping,vacation,tent;museum,sightseeing,art;hiking,outdoors,trail
running,exercise,jogging;marathon,exercise,long race;yoga,exercise,stretching;swimming,exercise,pool
cycling,exercise,bike;gym,fitness,workout;weight loss,health,losing pounds;sleep,health,rest at night
meditation,health,calming the mind;therapy,health,counselling;migraine,health,headache
blood pressure,health,doctor's visit;vegetarian diet,nutrition,no meat;gluten,nutrition,bread and wheat
coffee,drink,espresso;baking,cooking,oven;sourdough,bread,starter;pasta,cooking,italian dinner
sushi,food,japanese restaurant;birthday party,celebration,turning a year older;wedding,celebration,getting married
anniversary,celebration,years together;graduation,celebration,finishing school;holiday,celebration,family dinner
novel,writing,book draft;short story,writing,fiction;poetry,writing,verses;essay,writing,paper
screenplay,writing,film script;character,writing,hero of the story;photography,hobby,camera;painting,hobby,canvas
guitar,music,strings;piano,music,keyboard lessons;choir,music,singing;concert,music,live band;playlist,music,songs
podcast,media,listening;documentary,film,movie night;board game,game,evening with friends;video game,game,console
chess,game,opening moves;gardening,hobby,vegetables;knitting,hobby,wool;puppy,pet,dog;kitten,pet,cat;aquarium,pet,fish
kindergarten,school,children;homework,school,exercises;algebra,mathematics,equations;geometry,mathematics,triangles
probability,mathematics,chances;calculus,mathematics,derivatives;statistics,mathematics,averages
Spanish,language,speaking abroad;French,language,vocabulary;history,subject,the past;philosophy,subject,ethics
psychology,subject,how people think;moving house,household,new apartment;renovation,household,kitchen
car repair,vehicle,garage;electric car,vehicle,charging;commute,traffic,way to work
volunteering,community,helping others;church,community,faith;book club,community,reading together
""".replace("\n", ";").split(";") if topic]
VERBS = """find get list create delete update search send read check convert compute schedule book order track
translate validate fetch analyze""".split()


class Talk:
    """Messages and the questions that ask for them. The frames are ours, most words WordNet's."""

    def __init__(self, wordnet, rng):
        self.wordnet, self.rng = wordnet, rng
        self.kinds = sorted(KINDS)
        self.pools = {kind: wordnet.words([kind]) for kind in self.kinds}

    def subject(self):
        """A kind (or none, for our own topics), and what fills the frames."""
        rng = self.rng
        if rng.random() < 0.3:
            (x, h, a), (y, _, _) = rng.sample(TOPICS, 2)
            return None, dict(x=x, y=y, h=h, a=rng.choice([a, x]), more=[])
        kind = rng.choice(self.kinds)
        (x, key), (y, _) = rng.choices(*self.pools[kind], k=2)
        synset = self.wordnet.synsets[key]
        return kind, dict(x=x, y=y, h=self.wordnet.above(key), a=rng.choice(synset["words"]),
                          more=synset["examples"] or [synset["gloss"]])

    def fill(self, fields):
        """Names, times and numbers, drawn anew for each message."""
        rng = self.rng
        p, o = rng.sample(NAMES, 2)
        d, e = rng.sample(DAYS, 2)
        n, k = rng.sample(NUMBERS, 2)
        small = dict(p=p, o=o, d=d, e=e, n=n, k=k, m=rng.choice(MONTHS), r=rng.choice(RELATIONS), z=rng.randrange(10, 26))
        return {**fields, **small, "t": rng.choice(TIMES).format(**small)}

    def said(self, kind, fields):
        """One sentence, and the questions that belong to it."""
        manner = KINDS[kind] if kind and self.rng.random() < 0.5 else MANNERS[self.rng.choice(sorted(MANNERS))]
        text = self.rng.choice(manner[0]).format(**fields)
        end = "" if text.endswith("?") else self.rng.choice("..!")
        return text[0].upper() + text[1:] + end, manner[1]

    def asked(self, questions, fields):
        who = self.rng.choice([fields["p"], fields["o"], "I", "I", "the user"])
        forms = dict(s=who, do="does", be="is", have="has", own=who + "'s")
        if who == "I":
            forms = dict(s=who, do="do", be="am", have="have", own="my")
        text = self.rng.choice(questions if self.rng.random() < 0.6 else ANY).format(**{**fields, **forms})
        return text[0].upper() + text[1:]

    def message(self):
        """(question, message): one thing that is said, with what people say around it."""
        rng = self.rng
        kind, fields = self.subject()
        fields = self.fill(fields)
        text, questions = self.said(kind, fields)
        if rng.random() < 0.45:
            text = rng.choice(OPENINGS).format(**fields) + text
        if rng.random() < 0.35:
            text += rng.choice(CLOSINGS)
        if rng.random() < 0.25:
            other, more = self.subject()
            text += " " + self.said(other, self.fill(more))[0]
        if rng.random() < 0.2 and fields["more"]:
            text += " " + rng.choice(fields["more"]).capitalize() + "."
        return self.asked(questions, fields), text

    def letter(self):
        """(question, message): several things that are said about one subject; one is asked for."""
        kind, subject = self.subject()
        parts = []
        for _ in range(self.rng.randrange(2, 6)):
            fields = self.fill(subject)
            parts.append((*self.said(kind, fields), fields))
        _, questions, fields = self.rng.choice(parts)
        text = " ".join(part[0] for part in parts)
        return self.asked(questions, fields), text + self.rng.choice(CLOSINGS + [""] * 10)


def tools(wordnet, rng, count):
    """(request, description) of tools that do not exist."""
    pool = wordnet.words([4, 6, 9, 10, 11, 14, 15])
    docs = ["{c}: {V} the {a} of a {b}", "{c}: {V} {a} by {b}. Parameters: {b} id, limit", "{c} - {V} {a} data from the {b}; {g}",
            "{V} {a} for a given {b} and return the result as JSON. Use when the user asks for {a}."]
    asks = ["I need to {v} the {a} for my {b}.", "Can you {v} the {a} of this {b}?", "Please {v} {a}, the {b} is number 42.",
            "{v} {a}", "I want to know the {a} of the {b}."]
    for _ in range(count):
        (a, key), (b, _) = rng.choices(*pool, k=2)
        verb = rng.choice(VERBS)
        name = verb + "".join(word.capitalize() for word in f"{a} {b}".split())
        fields = dict(a=a, b=b, v=verb, V=verb.capitalize(), c=name, g=wordnet.synsets[key]["gloss"])
        yield rng.choice(asks).format(**fields), rng.choice(docs).format(**fields)
