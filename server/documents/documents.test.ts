// Documents: accepted by their content, their stored form, their readers, their deletion.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import { Transformer } from "@napi-rs/image";
import Pdf from "pdfkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { problems } from "#contract/errors.ts";
import { documents as limits } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { packedPdfFile, pdfFile, pdfFileOfTwo } from "#tests/pdf-file.ts";
import { childrenRunning } from "#tests/server-process.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { attachDocuments, deleteDocuments, documentsOf, onDocumentRead } from "./documents.ts";
import { documentCommands } from "./operator.ts";

let server: TestServer;
let hugo: Client;
let camille: Client;
beforeAll(async () => {
  server = await openTestServer();
  [hugo, camille] = await Promise.all([server.as("stranger"), server.as("guardian")]);
});
afterAll(() => server.close());
beforeEach(() => server.deps.pool.query("delete from document; delete from limiter"));

const path = "/api/documents";
const pdf = pdfFile();
const send = (client: Client, file: Buffer, name = "photo", type = "application/octet-stream") =>
  client.post(`${path}?name=${encodeURIComponent(name)}`, file, { "content-type": type });
const fetched = (client: Client, id: string) =>
  server.app.inject({
    url: `${path}/${id}`,
    headers: { authorization: `Bearer ${client.token}` },
  });
const count = async () =>
  Number((await server.deps.pool.query("select count(*) from document")).rows[0].count);
const personOf = async (name: CastName) => {
  const { rows } = await server.deps.pool.query<{ id: number }>(
    "select person_id as id from card where number = $1",
    [cast[name].cardnumber],
  );
  return rows[0]?.id ?? 0;
};

function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const named = Buffer.concat([Buffer.from(type), content]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
/** A black PNG; `rows` of it are really there. */
function png(
  width: number,
  height: number,
  extra: Buffer[] = [],
  rows = height,
  [depth, color]: [8, 2] | [16, 6] = [8, 2],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, color], 8);
  const bytesAPoint = depth === 16 ? 8 : 3;
  const points = deflateSync(Buffer.alloc((width * bytesAPoint + 1) * rows), { level: 1 });
  const parts = [
    chunk("IHDR", head),
    ...extra,
    chunk("IDAT", points),
    chunk("IEND", pdf.subarray(0, 0)),
  ];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}
/** EXIF that says where it was taken, and that the picture lies on its side. */
function withExif(jpeg: Buffer): Buffer {
  const exif = Buffer.concat([
    Buffer.from(
      "Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0",
      "latin1",
    ),
    Buffer.from("GPS 47.99N 4.10W"),
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe1]),
    length,
    exif,
    jpeg.subarray(2),
  ]);
}

/** The beginning of a photograph of an iPhone. */
const heic = (brand: string) =>
  Buffer.concat([Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}heic`), Buffer.alloc(200)]);

describe("POST /api/documents", () => {
  test("a PNG is kept as an image, without what is written beside its points", async () => {
    const file = png(30, 20, [chunk("tEXt", Buffer.from("Comment\0GPS 47.99N 4.10W"))]);
    const sent = await send(hugo, file, "C:\\Photos\\Ma  reçu.PNG");
    expect(sent).toMatchObject({ status: 201, body: { kind: "image", name: "Ma reçu.png" } });
    const content = (await fetched(hugo, sent.body.id)).rawPayload;
    expect(content.length).toBe(sent.body.bytes);
    expect(content.includes("GPS")).toBe(false);
    expect(await new Transformer(content).metadata()).toMatchObject({ width: 30, height: 20 });
  });

  // proves: uploaded-files
  test("a photograph is turned upright and loses its EXIF, GPS included", async () => {
    const file = withExif(await new Transformer(png(30, 20)).jpeg(80));
    const { body } = await send(hugo, file, "IMG_1.jpg", "image/jpeg");
    const content = (await fetched(hugo, body.id)).rawPayload;
    expect(content.includes("Exif")).toBe(false);
    expect(content.includes("GPS")).toBe(false);
    expect(await new Transformer(content).metadata()).toMatchObject({ width: 20, height: 30 });
  });

  test("a PNG is turned as its EXIF says", async () => {
    const exif = (order: "II" | "MM", orientation: number) => {
      const bytes = Buffer.alloc(26);
      bytes.write(order);
      const [short, long] = (
        order === "MM" ? ["writeUInt16BE", "writeUInt32BE"] : ["writeUInt16LE", "writeUInt32LE"]
      ) as ["writeUInt16BE", "writeUInt32BE"];
      bytes[short](42, 2);
      bytes[long](8, 4);
      bytes[short](1, 8);
      bytes[short](0x0112, 10);
      bytes[short](3, 12);
      bytes[long](1, 14);
      bytes[short](orientation, 18);
      return bytes;
    };
    for (const [order, orientation, width] of [
      ["MM", 6, 20],
      ["II", 8, 20],
      ["II", 3, 30],
      ["MM", 99, 30],
    ] as const) {
      const { body } = await send(hugo, png(30, 20, [chunk("eXIf", exif(order, orientation))]));
      const content = (await fetched(hugo, body.id)).rawPayload;
      expect((await new Transformer(content).metadata()).width, `${order} ${orientation}`).toBe(
        width,
      );
    }
    const cut = png(30, 20, [chunk("eXIf", exif("MM", 6).subarray(0, 12))]);
    expect((await send(hugo, cut)).status).toBe(201);
  });

  test("a JPEG of which a part is missing is refused; one with something behind its end is not", async () => {
    const noise = Buffer.from(Array.from({ length: 90 * 60 * 4 }, (_, at) => (at * 7919) % 251));
    const picture = Transformer.fromRgbaPixels(noise, 90, 60);
    const whole = withExif(await picture.jpeg(80));
    for (const part of [0.5, 0.9]) {
      const sent = await send(hugo, whole.subarray(0, Math.floor(whole.length * part)));
      expect([sent.status, sent.body.code]).toEqual([422, "document_unreadable"]);
    }
    expect((await send(hugo, whole.subarray(0, -2))).body.code).toBe("document_unreadable");
    expect((await send(hugo, Buffer.concat([whole, Buffer.alloc(40)]))).status).toBe(201);
  });

  test("bytes before a PDF and zeros behind it are left out of what is kept", async () => {
    const padded = Buffer.concat([Buffer.from("\r\nReçu par mail\r\n"), pdf, Buffer.alloc(4096)]);
    const { body } = await send(hugo, padded, "facture.pdf");
    expect(body).toMatchObject({ kind: "pdf", name: "facture.pdf" });
    const content = (await fetched(hugo, body.id)).rawPayload;
    expect(content.equals(pdf.subarray(0, pdf.length - 1))).toBe(true);
  });

  test.each(["1.3", "1.4", "1.6", "1.7ext3"] as const)(
    "a PDF %s that needs a password is refused in words; one that opens without is kept",
    async (pdfVersion) => {
      const made = async (userPassword?: string) => {
        const doc = new Pdf({ pdfVersion, userPassword, ownerPassword: "maître", info: {} });
        doc.text("Attestation");
        doc.end();
        return await buffer(doc);
      };
      const locked = await send(hugo, await made("secret"));
      expect([locked.status, locked.body.code]).toEqual([422, "document_locked"]);
      expect(await count()).toBe(0);
      expect((await send(hugo, await made())).body).toMatchObject({ kind: "pdf" });
    },
  );

  test("so is one of PDF 2.0, with AES of 256 bits", async () => {
    const locked = await send(hugo, pdfFileOfTwo("secret"));
    expect([locked.status, locked.body.code]).toEqual([422, "document_locked"]);
    expect(await count()).toBe(0);
    expect((await send(hugo, pdfFileOfTwo(""))).body).toMatchObject({ kind: "pdf" });
  });

  test("the pages of a PDF may be among packed objects", async () => {
    expect((await send(hugo, packedPdfFile("[3 0 R]"))).status).toBe(201);
    expect((await send(hugo, packedPdfFile("[]"))).body.code).toBe("document_no_page");
  });

  test("an image larger than the portal needs is reduced", async () => {
    const { body } = await send(hugo, png(3000, 100));
    const content = (await fetched(hugo, body.id)).rawPayload;
    expect(await new Transformer(content).metadata()).toMatchObject({ width: 2400, height: 80 });
  });

  // proves: uploaded-files
  test("what it is, its content says: another name or type changes nothing", async () => {
    expect((await send(hugo, pdf, "facture.exe", "image/png")).body).toMatchObject({
      kind: "pdf",
      name: "facture.pdf",
    });
    expect((await send(hugo, png(2, 2), "facture.pdf", "application/pdf")).body).toMatchObject({
      kind: "image",
      name: "facture.png",
    });
  });

  // proves: uploaded-files
  test("what hides behind an image is gone once it is drawn anew", async () => {
    const both = Buffer.concat([png(2, 2), Buffer.from("<script>alert(1)</script>PK\x03\x04")]);
    const { body } = await send(hugo, both);
    const content = (await fetched(hugo, body.id)).rawPayload;
    expect(content.includes("script")).toBe(false);
    expect(content.includes("PK\x03\x04")).toBe(false);
  });

  // proves: uploaded-files
  test.each([
    [
      "a program called photo.png",
      Buffer.from("MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff", "latin1"),
      "document_type",
    ],
    ["a page", Buffer.from("<!doctype html><script>alert(1)</script>"), "document_type"],
    [
      "an SVG",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'),
      "document_type",
    ],
    ["a PDF far behind something else", Buffer.concat([Buffer.alloc(1025), pdf]), "document_type"],
    [
      "a PDF with another file behind it",
      Buffer.concat([pdf, Buffer.alloc(2000, "PK")]),
      "document_unreadable",
    ],
    [
      "a PDF without a page",
      Buffer.from(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 9>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
      ),
      "document_no_page",
    ],
    ["a photograph as iPhones keep it", heic("heic"), "document_heic"],
    ["several of them", heic("mif1"), "document_heic"],
    ["nothing", Buffer.alloc(0), "document_unreadable"],
    ["what only begins and ends as a PDF", Buffer.from("%PDF-1.4\n%%EOF\n"), "document_unreadable"],
    ["a PDF that is cut", Buffer.from("%PDF-1.4\n1 0 obj"), "document_unreadable"],
    ["a PNG that is cut", png(40, 40).subarray(0, 60), "document_unreadable"],
    [
      "a small file that unpacks to 3.6 gigabytes",
      png(60_000, 20_000, [], 4),
      "document_unreadable",
    ],
  ] as const)("%s is refused and nothing is kept", async (_, file, code) => {
    const answer = await send(hugo, file, "photo.png", "image/png");
    expect(answer.body.code).toBe(code);
    expect(answer.status).toBe(problems[code].status);
    expect(await count()).toBe(0);
  });

  // proves: uploaded-files
  test("5 MB pass, one byte more does not, told or not", async () => {
    const max = Buffer.concat([
      pdf,
      Buffer.alloc(limits.bytes - pdf.length - 6),
      Buffer.from("\n%%EOF"),
    ]);
    expect((await send(hugo, max)).status).toBe(201);
    const more = Buffer.concat([max, Buffer.from("\n")]);
    expect(await send(hugo, more)).toMatchObject({
      status: 413,
      body: { code: "document_too_large" },
    });
    const response = await server.app.inject({
      method: "POST",
      url: path,
      headers: { authorization: `Bearer ${hugo.token}`, "content-type": "application/pdf" },
      payload: Readable.from([more.subarray(0, 100), more.subarray(100)]),
    });
    expect([response.statusCode, response.json().code]).toEqual([413, "document_too_large"]);
    expect(await count()).toBe(1);
  });

  test("without a session the file is not even read; JSON is no file", async () => {
    expect((await send(server.anonymous, pdf)).body.code).toBe("unauthenticated");
    expect((await hugo.post(path, { name: "x" })).body.code).toBe("unsupported_media_type");
    expect(await count()).toBe(0);
  });

  test.each([
    ["../../etc/passwd", "passwd.pdf"],
    ['a"b\r\nSet-Cookie: x=1.pdf', "a_bSet-Cookie_ x=1.pdf"],
    ["\u202egpj.exe", "gpj.pdf"],
    ["...", "document.pdf"],
    ["é".repeat(200), `${"é".repeat(80)}.pdf`],
  ])("the name %j becomes %j", async (sentName, storedName) => {
    const { body } = await send(hugo, pdf, sentName);
    expect(body.name).toBe(storedName);
    const disposition = (await fetched(hugo, body.id)).headers["content-disposition"];
    expect(disposition).toMatch(
      /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.~-]+$/,
    );
  });

  test("the same file sent twice, at once too, is one document", async () => {
    const both = await Promise.all([send(hugo, pdf), send(hugo, pdf)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0].body.id).toBe(both[1].body.id);
    expect(await count()).toBe(1);
  });

  test("ten wait at most, at once too; one taken back makes room", async () => {
    const files = Array.from({ length: 13 }, (_, at) =>
      Buffer.concat([Buffer.from(`%PDF-1.4 ${at}\n`), pdf]),
    );
    const answers = [];
    for (let at = 0; at < files.length; at += 3) {
      const wave = files.slice(at, at + 3).map((file) => send(hugo, file));
      answers.push(...(await Promise.all(wave)));
    }
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(3).fill("document_full"));
    expect(await count()).toBe(10);
    const documentId = answers.find(({ status }) => status === 201)?.body.id;
    expect((await hugo.post(`${path}/${documentId}/discard`)).status).toBe(200);
    expect((await send(hugo, png(1, 1))).status).toBe(201);
  });
});

/** A grey JPEG whose frame hides: `FF 00` stands before it, and a small frame lies where a reader
 * that takes `FF 00` for a marker goes on. */
async function hiddenFrame(width: number, height: number): Promise<Buffer> {
  const jpeg = await new Transformer(png(width, height)).jpeg(50);
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const after = frame + 2 + jpeg.readUInt16BE(frame + 2);
  const comment = Buffer.alloc(65_535 + 2);
  comment.set([0xff, 0xfe, 0xff, 0xff]);
  const found = frame + 2 + 0xffc0;
  const inComment = found - (after + 2);
  comment.set([0xff, 0xc0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x11, 0, 0xff, 0xda], inComment);
  const stray = Buffer.from([0xff, 0x00]);
  const headers = [jpeg.subarray(0, frame), stray, jpeg.subarray(frame, after), comment];
  return Buffer.concat([...headers, jpeg.subarray(after)]);
}

describe("what an image may cost", () => {
  // proves: work-processes
  test("more points than allowed are refused, wherever the file says so", async () => {
    const sent = await send(hugo, await hiddenFrame(6500, 6500));
    expect([sent.status, sent.body.code]).toEqual([422, "document_unreadable"]);
    expect(await count()).toBe(0);
  });

  // proves: work-processes
  test("16 bits a channel count twice: a small file does not take 900 MB", async () => {
    const sent = await send(hugo, png(4700, 4700, [], 4700, [16, 6]));
    expect([sent.status, sent.body.code]).toEqual([422, "document_unreadable"]);
  });

  // proves: work-processes
  test.runIf(process.platform === "linux")(
    "it is drawn in a process of lower priority, which is made anew when it was killed",
    async () => {
      expect((await send(hugo, png(3, 3))).status).toBe(201);
      const drawing = childrenRunning("image-worker");
      expect(drawing.length).toBeGreaterThan(0);
      for (const pid of drawing) {
        expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
        process.kill(pid, "SIGKILL");
      }
      await expect.poll(() => childrenRunning("image-worker")).toEqual([]);
      expect((await send(hugo, png(4, 4))).status).toBe(201);
    },
  );

  // proves: upload-shares
  test("who has no place left is told so before the file is looked into", async () => {
    await server.deps.pool.query(
      `insert into document (person_id, name, type, bytes, content, sha256, at)
       select $1, 'x.pdf', 'application/pdf', 1, 'x', decode(lpad(n::text, 64, '0'), 'hex'), now()
       from generate_series(1, $2) n`,
      [await personOf("stranger"), limits.loose],
    );
    const sent = await send(hugo, Buffer.from("no image at all"));
    expect([sent.status, sent.body.code]).toEqual([409, "document_full"]);
  });

  // proves: export-size
  test("all that a person sent has a limit, attached or not", async () => {
    await server.deps.pool.query(
      `insert into document (person_id, name, type, bytes, content, sha256, at, attached_kind,
         attached_id, attached_at, place)
       select $1, 'x.pdf', 'application/pdf', $2, decode(repeat('00', $2), 'hex'), '', now(), 'test',
         '1', now(), n from generate_series(1, $3) n`,
      [await personOf("stranger"), limits.bytes, limits.quotaBytes / limits.bytes],
    );
    const sent = await send(hugo, pdf);
    expect([sent.status, sent.body.code]).toEqual([409, "document_quota"]);
    expect((await send(camille, pdf)).status).toBe(201);
  });

  // proves: upload-shares
  test("so many files of one person in a minute, refused ones too; others are not held up", async () => {
    for (let at = 0; at < limits.filesPerMinute; at++)
      expect((await send(hugo, Buffer.from(`no image ${at}`))).body.code).toBe("document_type");
    const sent = await send(hugo, png(2, 2));
    expect([sent.status, sent.body.code]).toEqual([429, "too_many_requests"]);
    expect((await send(camille, png(2, 2))).status).toBe(201);
    server.clock.advance(60_000);
    expect((await send(hugo, png(2, 2))).status).toBe(201);
  });
});

describe("GET /api/documents/:id", () => {
  // proves: uploaded-files
  test("its sender gets it as a file to save, which no browser runs", async () => {
    const { body } = await send(hugo, pdf, "Reçu d'août.pdf");
    const answer = await fetched(hugo, body.id);
    expect(answer.rawPayload.equals(pdf)).toBe(true);
    expect(answer.headers).toMatchObject({
      "content-type": "application/pdf",
      "x-content-type-options": "nosniff",
      "content-disposition": `attachment; filename="Recu d'aout.pdf"; filename*=UTF-8''Re%C3%A7u%20d%27ao%C3%BBt.pdf`,
    });
    expect(answer.headers["content-security-policy"]).toContain("sandbox");
  });

  // proves: uploaded-files
  test("somebody else's is not found, neither to read nor to delete", async () => {
    const { body } = await send(hugo, pdf);
    expect((await camille.get(`${path}/${body.id}`)).status).toBe(404);
    expect((await camille.post(`${path}/${body.id}/discard`)).status).toBe(404);
    expect(await count()).toBe(1);
  });
});

describe("attached", () => {
  const to = { kind: "test", id: "7" };
  const attach = (personId: number, ids: string[]) =>
    inTx(server.deps.db, (tx) =>
      attachDocuments(tx, { personId, ids, to, at: server.clock.now() }),
    );

  test("in the order given, once for ever, by its sender only", async () => {
    const me = await personOf("stranger");
    const [one, two] = [(await send(hugo, pdf)).body.id, (await send(hugo, png(1, 1))).body.id];
    await expect(attach(await personOf("guardian"), [one])).rejects.toMatchObject({
      code: "not_found",
    });
    await attach(me, [two, one]);
    const of = await documentsOf(server.deps.db, to);
    expect(of.map(({ id, kind }) => [id, kind])).toEqual([
      [two, "image"],
      [one, "pdf"],
    ]);
    await expect(attach(me, [one])).rejects.toMatchObject({ code: "document_attached" });
    expect((await hugo.post(`${path}/${one}/discard`)).body.code).toBe("document_attached");
    // The same file may be joined to something else: it is another document then.
    expect((await send(hugo, pdf)).body.id).not.toBe(one);
  });

  test("read by whom its thing lets, and by its sender", async () => {
    const { body } = await send(hugo, pdf);
    await attach(await personOf("stranger"), [body.id]);
    const reader = await personOf("guardian");
    onDocumentRead["test"] = async (_db, personId, id) => personId === reader && id === "7";
    expect((await camille.get(`${path}/${body.id}`)).status).toBe(200);
    expect((await hugo.get(`${path}/${body.id}`)).status).toBe(200);
    expect((await (await server.as("coGuardian")).get(`${path}/${body.id}`)).status).toBe(404);
    delete onDocumentRead["test"];
    expect((await camille.get(`${path}/${body.id}`)).status).toBe(404);
    await inTx(server.deps.db, (tx) => deleteDocuments(tx, to));
    expect(await count()).toBe(0);
  });

  test("loose for a day, then forgotten; what is attached stays", async () => {
    const documentId = (await send(hugo, pdf)).body.id;
    await attach(await personOf("stranger"), [documentId]);
    await send(hugo, png(1, 1));
    await server.deps.pool.query("update document set at = at - interval '23 hours 59 minutes'");
    const sweep = () =>
      server.deps.db.transaction().execute((tx) => server.deps.enqueue(tx, "sweep_documents", {}));
    await sweep();
    await server.runJobs();
    expect(await count()).toBe(2);
    await server.deps.pool.query("update document set at = at - interval '2 minutes'");
    await sweep();
    await server.runJobs();
    expect((await server.deps.pool.query("select id from document")).rows).toEqual([
      { id: documentId },
    ]);
  });
});

test("the operator writes one into a new file, and the trail of its sender says so", async () => {
  const folder = await mkdtemp(join(tmpdir(), "documents-"));
  const { body } = await send(hugo, pdf);
  const file = join(folder, "recu.pdf");
  const run = (...args: string[]) => documentCommands[0]?.run(server.deps, args, "anne");
  expect((await run(body.id, file))?.ok).toBe(true);
  expect((await readFile(file)).equals(pdf)).toBe(true);
  expect((await run(body.id, file))?.lines[0]).toContain("existe déjà");
  expect((await run("rien", join(folder, "x")))?.ok).toBe(false);
  const { rows } = await server.deps.pool.query(
    "select actor from audit where action = 'document.read'",
  );
  expect(rows).toEqual([{ actor: "operator:anne" }]);
  await rm(folder, { recursive: true });
});
