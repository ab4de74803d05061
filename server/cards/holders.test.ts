// Holders created by the operator: one, or a file of them; the faults of a file; the first sign-in.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardCommands } from "./operator.ts";
import { cast } from "#tests/cast.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { holderCommands } from "./holders-operator.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([openTestServer(), scratchFolder("holders")]);
});
afterAll(async () => {
  await server.close();
  await removeData(folder);
});

const run = async (name: string, ...args: string[]) => {
  const command = [...holderCommands, ...cardCommands].find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return await command.run(server.deps, args, "alice");
};
let files = 0;
const fileOf = async (content: string | Buffer) => {
  const path = join(folder, `${(files += 1)}.csv`);
  await writeFile(path, content);
  return path;
};
const people = async () =>
  (await server.deps.pool.query("select count(*)::int as n from person")).rows[0].n;
const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const cardAndSecret = (line = "") => {
  const found = /carte (\d{10})  secret (\d{4}-\d{4}-\d{4})$/.exec(line);
  return { cardnumber: Number(found?.[1]), secret: found?.[2] ?? "" };
};
const login = (cardnumber: number, password: string) =>
  server.anonymous.post("/api/login", { login: cardnumber, password });
const send = async (cardnumber: number) => {
  for (const step of ["cards produce", "cards ship"]) {
    expect((await run(step, String(cardnumber))).ok, step).toBe(true);
  }
};
const chosen = "Quatre mouettes rient sur la jetée";

// proves: first-sign-in
test("holders create: a card, a wallet, and a first sign-in that activates the card", async () => {
  const before = await people();
  const made = await run("holders create", " Maëlle ", "Le  Goff", "03/02/1990", "-", "0612345677");
  expect(made.ok).toBe(true);
  const { cardnumber, secret } = cardAndSecret(made.lines[0]);
  expect(made.lines[0]).toMatch(/^Maëlle Le Goff {2}carte/);
  expect(await people()).toBe(before + 1);
  // Not sent yet: the number and the secret sign nobody in.
  expect((await login(cardnumber, secret)).body.code).toBe("wrong_credentials");
  await send(cardnumber);
  expect((await login(cardnumber, "0000-0000-0000")).body.code).toBe("wrong_credentials");
  const answer = await login(cardnumber, secret);
  expect(answer).toMatchObject({ status: 200, body: { data: { isReset: true, actif: 0 } } });
  const she = server.withToken(answer.body.token.jeton);
  const reset = await she.post("/api/password/reset", { password: chosen });
  expect(reset).toMatchObject({ status: 200, body: { data: { isReset: false, actif: 1 } } });
  expect((await she.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items).toMatchObject([
    { main: true, balanceCents: 0 },
  ]);
  expect((await she.get("/api/cards")).body.items).toMatchObject([{ cardnumber, state: "active" }]);
  expect((await login(cardnumber, secret)).body.code).toBe("wrong_credentials");
  expect((await login(cardnumber, chosen)).status).toBe(200);
  const trail = await rows(
    `select a.actor, a.action from audit a join card c on c.person_id = a.person_id
      where c.number = $1 and a.action in ('holder.create', 'card.activate_first') order by a.id`,
    cardnumber,
  );
  expect(trail).toEqual([
    { actor: "operator:alice", action: "holder.create" },
    { actor: "person", action: "card.activate_first" },
  ]);
});

test("holders create: refused, and nobody is made, for what is no holder or is there already", async () => {
  const before = await people();
  const wrong = await run("holders create", "12", "Petit", "31/02/1990", "x@", "12");
  expect(wrong).toEqual({
    ok: false,
    lines: [
      "Rien n'est créé :",
      "prénom : 1 à 60 lettres, espaces, tirets ou apostrophes",
      "naissance : un jour passé, JJ/MM/AAAA",
      "email : cette adresse n'est pas valable",
      "téléphone : ce numéro n'est pas valable",
    ],
  });
  const twin = await run("holders create", "maëlle", "Le Goff", "1990-02-03");
  expect(twin.lines[1]).toMatch(/existe déjà \(carte \d{10}\)/);
  const bidi = await run("holders create", "Ana\u202e", "Petit", "01/01/1980");
  expect(bidi.ok).toBe(false);
  const unguarded = await run("holders create", "Tom", "Petit", "01/01/2020");
  expect(unguarded.lines).toContain("un mineur a besoin de la carte de son responsable");
  const ofChild = [`${cast.child.cardnumber}`, "9999999999"];
  for (const guardian of ofChild) {
    const refused = await run("holders create", "Tom", "Petit", "01/01/2020", "-", "-", guardian);
    expect(refused.ok).toBe(false);
  }
  expect(await people()).toBe(before);
});

// proves: first-sign-in
test("holders secret: the last one printed opens, until a password is chosen", async () => {
  const made = await run("holders create", "Yanis", "Roux", "01/01/1985");
  const { cardnumber, secret } = cardAndSecret(made.lines[0]);
  await send(cardnumber);
  const first = await login(cardnumber, secret);
  const again = cardAndSecret((await run("holders secret", String(cardnumber))).lines[0]);
  expect((await login(cardnumber, secret)).body.code).toBe("wrong_credentials");
  const former = server.withToken(first.body.token.jeton);
  expect((await former.get("/api/session")).body.code).toBe("session_ended");
  const answer = await login(cardnumber, again.secret);
  const he = server.withToken(answer.body.token.jeton);
  expect((await he.post("/api/password/reset", { password: chosen })).status).toBe(200);
  const late = await run("holders secret", String(cardnumber));
  expect(late.ok).toBe(false);
  expect(late.lines[0]).toContain("Vérifiez son identité");
  const his = await login(cardnumber, chosen);
  expect(his.status).toBe(200);
  // Nothing reaches him: once he is identified, a printed secret signs him in again, only to choose a
  // password.
  const seen = await run("holders secret", String(cardnumber), "Carte d'identité vue au guichet");
  expect(seen.ok, seen.lines.join()).toBe(true);
  expect((await login(cardnumber, chosen)).body.code).toBe("wrong_credentials");
  const ended = server.withToken(his.body.token.jeton);
  expect((await ended.get("/api/session")).body.code).toBe("session_ended");
  const back = await login(cardnumber, cardAndSecret(seen.lines[0]).secret);
  const returned = server.withToken(back.body.token.jeton);
  expect((await returned.get("/api/wallets")).body.code).toBe("reset_required");
  const other = "sterne et varech 83";
  expect((await returned.post("/api/password/reset", { password: other })).status).toBe(200);
  expect((await login(cardnumber, other)).status).toBe(200);
  const chose = await run("holders secret", String(cast.guardian.cardnumber), "Vue au guichet");
  expect(chose.lines[0]).toContain("a déjà choisi son mot de passe");
});

const sheet = [
  "Référence;Nom;Prénom;Naissance;E-mail;Téléphone;Responsable",
  "A-1;Kerven;Ewen;12/03/1984;ewen.kerven@exemple.fr;06 12 34 56 78;",
  "A-3;Kerven;Nolwenn;05/09/2016;;;A-2",
  'A-2;"Kerven";Soazig;1986-07-01;;;',
  "",
].join("\r\n");

test("holders import: everyone of the file once, children with their guardian, nobody twice", async () => {
  const path = await fileOf(`\ufeff${sheet}`);
  const before = await people();
  const check = await run("holders check", path);
  expect(check).toMatchObject({
    ok: true,
    lines: ["3 porteurs à créer, 0 porteur déjà là.", expect.stringContaining("essai")],
  });
  expect(await people()).toBe(before);
  const done = await run("holders import", path);
  expect(done.ok).toBe(true);
  expect(done.lines.at(-1)).toBe("3 porteurs créés, 0 porteur déjà là.");
  expect(await people()).toBe(before + 3);
  const made = await rows(
    `select r.reference, p.name, p.born_on as born, p.email, p.phonenumber as phone, c.state,
       p.must_reset as must, (select count(*)::int from wallet w where w.person_id = p.id) as wallets,
       (select g.reference from family_tie t join holder_reference g on g.person_id = t.guardian_id
         where t.member_id = p.id and t.role = 'child') as guardian
     from holder_reference r join person p on p.id = r.person_id join card c on c.person_id = p.id
     order by r.reference`,
  );
  const common = {
    state: "approved",
    must: true,
    wallets: 1,
    email: null,
    phone: null,
    guardian: null,
  };
  expect(made).toEqual([
    {
      ...common,
      reference: "A-1",
      name: "Ewen Kerven",
      born: "1984-03-12",
      email: "ewen.kerven@exemple.fr",
      phone: "+33612345678",
    },
    { ...common, reference: "A-2", name: "Soazig Kerven", born: "1986-07-01" },
    { ...common, reference: "A-3", name: "Nolwenn Kerven", born: "2016-09-05", guardian: "A-2" },
  ]);
  // The same file, and a longer one with commas: only who is new.
  expect((await run("holders import", path)).lines).toEqual([
    "0 porteur créé, 3 porteurs déjà là.",
  ]);
  const longer = await fileOf(
    "prenom,nom,naissance,reference,responsable\nSoazig,Kerven,01/07/1986,A-2,\nTifenn,Kerven,01/01/2018,A-4,A-1\n",
  );
  expect((await run("holders import", longer)).lines.at(-1)).toBe(
    "1 porteur créé, 1 porteur déjà là.",
  );
  expect(await people()).toBe(before + 4);
});

// proves: holders-import
test("holders import: two at once make nobody twice", async () => {
  const path = await fileOf("reference,nom,prenom,naissance\nD-1,Double,Une,01/01/1970\n");
  const before = await people();
  const both = await Promise.all([run("holders import", path), run("holders import", path)]);
  expect(both.map(({ ok }) => ok)).toEqual([true, true]);
  expect(await people()).toBe(before + 1);
});

// proves: holders-import
test("holders import: each wrong line has its sentence, and nobody of the file is made", async () => {
  const before = await people();
  const path = await fileOf(
    [
      "reference;nom;prenom;naissance;email;responsable",
      "B-1;Juste;Anne;01/01/1970;;",
      "B-1;Autre;Luc;01/01/1971;;",
      "B 2;Petit;Zoé;01/01/1972;;",
      "B-3;Petit;Max;32/01/1972;pas-une-adresse;",
      "B-4;Petit;Lou;01/01/2019;;",
      "B-5;Petit;Lou",
      "B-6;Petit;Eva;01/01/2019;;B-99",
      "A-1;Autrement;Ewen;12/03/1984;;",
      "B-7;JUSTE;anne;01/01/1970;;",
    ].join("\n"),
  );
  for (const command of ["holders check", "holders import"]) {
    const { ok, lines } = await run(command, path);
    expect(ok).toBe(false);
    expect(lines).toEqual([
      "ligne 3 : référence déjà donnée à la ligne 2.",
      "ligne 4 : référence : 1 à 40 lettres, chiffres, points ou tirets.",
      "ligne 5 : naissance : un jour passé, JJ/MM/AAAA ; email : cette adresse n'est pas valable.",
      "ligne 6 : responsable : un mineur a besoin de la référence ou de la carte d'un adulte.",
      "ligne 7 : 3 valeurs au lieu de 6.",
      "ligne 8 : le responsable B-99 n'est ni une référence connue ni une carte.",
      "ligne 9 : la référence A-1 est celle de Ewen Kerven, naissance le 12/03/1984 : rien ne change un porteur déjà importé.",
      "ligne 10 : JUSTE, de même date de naissance, est déjà à la ligne 2.".replace(
        "JUSTE",
        "anne JUSTE",
      ),
      "Rien n'est importé.",
    ]);
  }
  expect(await people()).toBe(before);
  expect(await rows("select from holder_reference where reference like 'B%'")).toEqual([]);
});

test.each([
  ["nothing", "", "ligne 1 : il manque reference, nom, prenom, naissance."],
  ["a header alone", "reference;nom;prenom;naissance\n", "aucun porteur"],
  [
    "a column nobody knows",
    "reference;nom;prenom;naissance;ville\n",
    "inconnu : «\u00a0ville\u00a0»",
  ],
  ["a column twice", "reference;nom;nom;prenom;naissance\n", "deux fois : nom"],
  ["an open quote", 'reference;nom;prenom;naissance\nA;"B;C;D\n', "illisible vers la ligne 2"],
  ["a PDF", Buffer.from("%PDF-1.7\n"), "Le fichier est un PDF, pas un CSV"],
  ["what is no text", Buffer.from([0x61, 0x81, 0x8d, 0x3b]), "n'est pas un CSV"],
])("holders import: %s is told as what it is", async (_what, content, says) => {
  const { ok, lines } = await run("holders import", await fileOf(content));
  expect(ok).toBe(false);
  expect(lines[0]).toContain(says);
});

test("holders import: as spreadsheets and mail programs write it", async () => {
  const lines = [
    "Référence;Nom;Prénom;Date de naissance;E\u2010mail;;",
    "W\u20111;O\u00b4Neil;Ana\u2011Zoé;7/3/1984;Ana O. <ana.oneil@example.org>;;",
    "W-2;Le Brozec;Maël;1985-03-12T00:00:00;mael .lebrozec@ example.org;;",
  ];
  const path = await fileOf(lines.join("\r\n"));
  const { ok, lines: output } = await run("holders import", path);
  expect(ok, output.join()).toBe(true);
  expect(
    await rows(`select h.reference, p.name, p.email, p.born_on::text as born from person p
      join holder_reference h on h.person_id = p.id where h.reference like 'W-%' order by 1`),
  ).toEqual([
    {
      reference: "W-1",
      name: "Ana-Zoé O'Neil",
      email: "ana.oneil@example.org",
      born: "1984-03-07",
    },
    {
      reference: "W-2",
      name: "Maël Le Brozec",
      email: "mael.lebrozec@example.org",
      born: "1985-03-12",
    },
  ]);
  const ansi = Buffer.from(
    "reference;nom;prénom;naissance\nW-3;Hénaff;Noëlle;12/03/1984\n",
    "latin1",
  );
  expect((await run("holders import", await fileOf(ansi))).ok).toBe(true);
  expect(await rows("select name from person where name like 'No%Hénaff'")).toEqual([
    { name: "Noëlle Hénaff" },
  ]);
  const [fault] = (
    await run(
      "holders check",
      await fileOf("reference;nom;prenom;naissance\nW-4;A;B;12/03/1984;x\n"),
    )
  ).lines;
  expect(fault).toBe("ligne 2 : 5 valeurs au lieu de 4.");
});

test("holders: a name in letters that cards and pages do not print is refused, and nobody is made", async () => {
  const before = await people();
  const { ok, lines } = await run("holders create", "小龙", "李", "01/01/1980");
  expect(ok).toBe(false);
  expect(lines.join()).toContain("prénom : écrivez-le en lettres latines, comme sur un passeport");
  const path = await fileOf("reference;nom;prenom;naissance\nL-1;Ben Ali;مريم;12/03/1984\n");
  expect((await run("holders import", path)).lines[0]).toBe(
    "ligne 2 : prénom : écrivez-le en lettres latines, comme sur un passeport.",
  );
  const camille = await server.as("guardian");
  const child = await camille.post("/api/family/card-requests", {
    firstName: "李",
    lastName: "Moreau",
    bornOn: "2019-04-02",
  });
  expect([child.status, child.body.code]).toEqual([400, "invalid_input"]);
  expect(child.body.message).toContain("李 ne s'imprime pas");
  expect(await people()).toBe(before);
});

test("holders import: a file that is not there", async () => {
  const { ok, lines } = await run("holders import", join(folder, "none.csv"));
  expect({ ok, lines }).toEqual({ ok: false, lines: [expect.stringContaining("ne s'ouvre pas")] });
});

test("holders import: a name loses the marks that nobody sees", async () => {
  const path = await fileOf(
    "reference;nom;prenom;naissance\nZ-1;Ker\u00advella\u200b;\u202aLena\u202c;12/03/1984\n",
  );
  expect((await run("holders import", path)).ok).toBe(true);
  expect(await rows("select name from person where name like 'Lena%'")).toEqual([
    { name: "Lena Kervella" },
  ]);
});

test("a holder may have a single name: on the command line, or in either column of a file", async () => {
  const made = await run("holders create", "Suharto", "-", "01/01/1980");
  expect(made.ok, made.lines.join()).toBe(true);
  const path = await fileOf(
    "reference;nom;prenom;naissance\nS-1;Sukarno;;12/03/1984\nS-2;;Megawati;12/03/1985\n",
  );
  expect((await run("holders import", path)).ok).toBe(true);
  const names = ["Megawati", "Suharto", "Sukarno"];
  const found = await rows("select name from person where name = any($1) order by name", names);
  expect(found.map(({ name }) => name)).toEqual(names);
  const nobody = await fileOf("reference;nom;prenom;naissance\nS-3;;;12/03/1984\n");
  expect((await run("holders check", nobody)).lines.join()).toMatch(/prénom ou nom : 1 à 60/);
});
