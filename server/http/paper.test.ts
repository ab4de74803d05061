// Documents on paper as a screen reader walks them: the tree of their tags.
import { expect, test } from "vitest";
import { paper } from "./paper.ts";

interface Tag {
  name: string;
  scope: string | null;
  children: Tag[];
}

/** The tags of a PDF that server/http/paper.ts drew, from the root down. */
function tagsOf(pdf: Buffer): Tag {
  const objects = new Map(
    [...pdf.toString("latin1").matchAll(/(\d+) 0 obj\n(<<[\s\S]*?)\nendobj/g)].map(
      ([, id = "", text = ""]) => [id, text] as const,
    ),
  );
  const read = (id: string): Tag => {
    const text = objects.get(id) ?? "";
    const kids = /\/K (?:\[([^\]]*)\]|(\d+ 0 R))/.exec(text);
    const ids = [...(kids?.[1] ?? kids?.[2] ?? "").matchAll(/(\d+) 0 R/g)].map(
      ([, kid = ""]) => kid,
    );
    return {
      name: /\/S \/(\w+)/.exec(text)?.[1] ?? "",
      scope: /\/Scope \/?\(?(\w+)/.exec(text)?.[1] ?? null,
      children: ids.filter((kid) => objects.get(kid)?.includes("/S /")).map(read),
    };
  };
  const [root = ""] = [...objects].find(([, text]) => text.includes("/S /Document")) ?? [];
  return read(root);
}

const line = ({ name, scope, children }: Tag): string =>
  `${name}${scope ? `:${scope}` : ""}${children.length > 0 ? `(${children.map(line).join(" ")})` : ""}`;

// proves: tagged-documents
test("a name is the header of its value, a column's title that of its cells, on every page", async () => {
  const rows = Array.from({ length: 60 }, (_, index) => [`${index}`, "1,00 €"]);
  const pdf = await paper(
    { title: "Relevé", cardnumber: 1_000_000_016, madeAt: new Date() },
    async (page) => {
      page.facts([
        ["Titulaire", "Camille Moreau"],
        ["Cagnotte", "Principale"],
      ]);
      page.heading("Opérations");
      await page.table(
        [
          { title: "Date", width: 200 },
          { title: "Montant", width: 283, right: true },
        ],
        rows,
      );
    },
  );
  const [facts, heading, table] = tagsOf(pdf).children.slice(3);
  expect(facts && line(facts)).toBe("Table(TR(TH:Row TD) TR(TH:Row TD))");
  expect(heading?.name).toBe("H2");
  expect(table?.children).toHaveLength(61);
  expect(table?.children.map(line).slice(0, 2)).toEqual(["TR(TH:Column TH:Column)", "TR(TD TD)"]);
  expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
});

test("a heading and the head of a table are on the page of the first row, wherever the page ends", async () => {
  const columns = [{ title: "Montant", width: 483 }];
  const onFirst = new Set<boolean>();
  for (let facts = 20; facts < 40; facts++) {
    const pdf = await paper(
      { title: "Quantités", cardnumber: 1_000_000_016, madeAt: new Date() },
      async (page) => {
        page.facts(Array.from({ length: facts }, (_, index) => [`${index}`, "1"] as const));
        page.heading("École");
        await page.table(columns, [["1,00 €"]]);
      },
    );
    const text = pdf.toString("latin1");
    const pageOf = (tag: RegExp) => /\/Pg (\d+) 0 R/.exec(tag.exec(text)?.[0] ?? "")?.[1];
    const heading = pageOf(/\/S \/H2[^]*?endobj/);
    const head = pageOf(/Scope \/Column[^]*?endobj/);
    const row = pageOf(/\/S \/TD\n(?:(?!endobj)[^])*?endobj(?![^]*\/S \/TD\n)/);
    expect([heading, head]).toEqual([row, row]);
    onFirst.add(row === pageOf(/\/S \/H1[^]*?endobj/));
  }
  // Both were seen: below the facts, and on a page of its own.
  expect(onFirst.size).toBe(2);
});

test("papers of one card take turns with another's; too many of one are refused, another's is not", async () => {
  const done: number[] = [];
  const requestPaper = (cardnumber: number) =>
    paper({ title: "Inscrits", cardnumber, madeAt: new Date() }, (page) =>
      page.table(
        [{ title: "Nom", width: 483 }],
        Array.from({ length: 60 }, () => ["Léo"]),
      ),
    ).then(
      () => done.push(cardnumber),
      (problem: unknown) => problem,
    );
  const [many, one] = [1_000_000_016, 1_000_000_024];
  const ofMany = Array.from({ length: 9 }, () => requestPaper(many));
  const ofOne = requestPaper(one);
  expect(await ofMany.at(-1)).toMatchObject({ code: "unavailable" });
  await Promise.all([...ofMany, ofOne]);
  expect(done).toEqual([many, one, ...Array.from({ length: 7 }, () => many)]);
  await requestPaper(many);
  expect(done).toHaveLength(10);
});

// proves: tagged-documents
test("a ticket is read in the order of its paper: whose and what, its code in words, when, and its facts", async () => {
  const ticket = {
    cardnumber: 1_000_000_016,
    kind: "Billet",
    title: "Concert du port",
    when: "05/12/2026 à 20:30",
    code: "MC1.token",
    label: "Code du billet 7K2M, à présenter à l’entrée",
    facts: [["Titulaire", "Camille Moreau"]],
  } as const;
  const options = { title: ticket.title, cardnumber: ticket.cardnumber, bare: true };
  const pdf = await paper({ ...options, madeAt: new Date() }, (page) => {
    for (let count = 0; count < 4; count++) page.ticket(ticket);
  });
  const tags = tagsOf(pdf).children.map(line);
  const one = ["P", "P", "Figure", "P", "P", "Table(TR(TH:Row TD))"];
  expect(tags).toEqual(["P", "H1", "P", ...one, ...one, ...one, ...one]);
  // Whole, or on the next page.
  expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBe(2);
});
