// Decodes a file of a feed chunk by chunk from its encoding: UTF-8, UTF-16 with a byte order mark, or
// Windows-1252, which older programs still write.
import { isAscii, isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { FeedRefused } from "./report.ts";

// Windows-1252 has no character for these bytes: another encoding, or no text.
const unassigned = /[\u0080-\u009f]/;
/** Maximum number of bytes of an incomplete character at the end of a chunk. */
const longestBroken = 3;

export class FeedText {
  readonly #file: string;
  #decoder: TextDecoder | undefined;
  /** The end of the previous chunk, whose last character may continue in the next one. */
  #rest = Buffer.alloc(0);
  #hasAccents = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** As TextDecoder names it. */
  get encoding(): string {
    return this.#decoder?.encoding ?? "utf-8";
  }

  /** Throws `FeedRefused` for bytes of an unknown encoding, or of two. */
  decode(chunk: Buffer): string {
    if (this.#decoder) return this.#decoded(this.#decoder, chunk);
    const bytes = Buffer.concat([this.#rest, chunk]);
    const utf16 = this.#hasAccents ? null : utf16Of(bytes);
    if (utf16) return this.#decoded(this.#startDecoder(utf16), bytes);
    const whole = wholeCharacters(bytes);
    if (!isUtf8(whole)) return this.#windows(bytes);
    this.#rest = bytes.subarray(whole.length);
    this.#hasAccents ||= !isAscii(whole);
    return withoutMark(whole.toString("utf8"));
  }

  /** The rest after the last chunk. */
  end(): string {
    if (this.#decoder) return this.#decoder.decode();
    return this.#rest.length > 0 ? this.#windows(this.#rest) : "";
  }

  #windows(bytes: Buffer): string {
    // The text before was not Windows-1252, and is written already.
    if (this.#hasAccents) throw this.#refusal();
    return this.#decoded(this.#startDecoder("windows-1252"), bytes);
  }

  #startDecoder(label: string): TextDecoder {
    this.#rest = Buffer.alloc(0);
    this.#decoder = new TextDecoder(label);
    return this.#decoder;
  }

  #decoded(decoder: TextDecoder, bytes: Buffer): string {
    const text = decoder.decode(bytes, { stream: true });
    if (decoder.encoding === "windows-1252" && unassigned.test(text)) throw this.#refusal();
    return text;
  }

  #refusal(): FeedRefused {
    return new FeedRefused(
      `${this.#file} n'est ni en UTF-8 ni en Windows-1252 : enregistrez-le en UTF-8.`,
    );
  }
}

const utf16Of = ([first, second]: Buffer) =>
  first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
      ? "utf-16be"
      : null;

const withoutMark = (text: string) => text.replace(/^\ufeff/, "");

/** `bytes` without the beginning of a UTF-8 character at their end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(longestBroken, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.subarray(0, -back) : bytes;
    }
  }
  return bytes;
}
