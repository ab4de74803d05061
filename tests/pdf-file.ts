// Small PDFs, each as real as a reader needs it.
import { createCipheriv, createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** The smallest with a page; `mark` makes one different from another. */
export const pdfFile = (mark: string | number = ""): Buffer =>
  Buffer.from(`%PDF-1.4
%${mark}
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`);

/** Its catalogue and pages are in a compressed stream of objects; `kids` are its pages (`3 0 R`). */
export function packedPdfFile(kids: string): Buffer {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids${kids}/Count 1>>`,
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>",
  ];
  const places = objects.map((_, index) => objects.slice(0, index).join(" ").length + +(index > 0));
  const heads = places.map((place, index) => `${index + 1} ${place}`).join(" ");
  const packed = deflateSync(Buffer.from(`${heads} ${objects.join(" ")}`));
  const head = Buffer.from("%PDF-1.5\n");
  const stream = Buffer.concat([
    Buffer.from(
      `4 0 obj<</Type/ObjStm/N 3/First ${heads.length + 1}/Filter/FlateDecode/Length ${packed.length}>>stream\n`,
    ),
    packed,
    Buffer.from("\nendstream endobj\n"),
  ]);
  const at = head.length + stream.length;
  // For each object: 1 and its place in the file, or 2, the stream that holds it and its place there.
  const references = Buffer.from(
    [
      [0, 0, 0, 0],
      ...objects.map((_, index) => [2, 0, 4, index]),
      [1, 0, head.length, 0],
      [1, at >> 8, at & 255, 0],
    ].flat(),
  );
  return Buffer.concat([
    head,
    stream,
    Buffer.from(
      `5 0 obj<</Type/XRef/Size 6/W[1 2 1]/Root 1 0 R/Length ${references.length}>>stream\n`,
    ),
    references,
    Buffer.from(`\nendstream endobj\nstartxref\n${at}\n%%EOF\n`),
  ]);
}

/** Encrypted as PDF 2.0 has it (ISO 32000-2, 7.6.4.3, revision 6), for this password of its readers. */
export function pdfFileOfTwo(password: string): Buffer {
  const fileKey = Buffer.alloc(32, 7);
  const [check, key] = [Buffer.alloc(8, 1), Buffer.alloc(8, 2)];
  const word = Buffer.from(password);
  const encrypted = (name: string, by: Buffer, text: Buffer) => {
    const iv = name.endsWith("ecb") ? null : Buffer.alloc(16);
    return createCipheriv(name, by, iv).setAutoPadding(false).update(text).toString("hex");
  };
  const user = Buffer.concat([hash6(word, check), check, key]);
  const owner = Buffer.from("maître");
  const ownerOf = (salt: Buffer) => hash6(owner, salt, user);
  const permissions = Buffer.from("fcffffffffffffff5461646200000000", "hex");
  return Buffer.from(`%PDF-2.0
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
4 0 obj<</Filter/Standard/V 5/R 6/Length 256/P -4/EncryptMetadata true/StmF/StdCF/StrF/StdCF
/CF<</StdCF<</CFM/AESV3/AuthEvent/DocOpen/Length 32>>>>
/U<${user.toString("hex")}>/UE<${encrypted("aes-256-cbc", hash6(word, key), fileKey)}>
/O<${Buffer.concat([ownerOf(check), check, key]).toString("hex")}>
/OE<${encrypted("aes-256-cbc", ownerOf(key), fileKey)}>
/Perms<${encrypted("aes-256-ecb", fileKey, permissions)}>>>endobj
trailer<</Root 1 0 R/Encrypt 4 0 R/ID[<00><00>]>>
%%EOF
`);
}

/** Algorithm 2.B. */
function hash6(password: Buffer, salt: Buffer, user = Buffer.alloc(0)): Buffer {
  const hash = (name: string, ...parts: Buffer[]) =>
    createHash(name).update(Buffer.concat(parts)).digest();
  let key = hash("sha256", password, salt, user);
  for (let turn = 0, last = 0; turn < 64 || last > turn - 32; turn++) {
    const text = Buffer.concat(Array.from({ length: 64 }, () => [password, key, user]).flat());
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32));
    const scrambled = cipher.setAutoPadding(false).update(text);
    const rest = scrambled.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hash(rest === 0 ? "sha256" : rest === 1 ? "sha384" : "sha512", scrambled);
    last = scrambled.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}
