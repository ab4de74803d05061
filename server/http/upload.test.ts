// Uploads: places are counted for each person, so that slow ones of some hold up nobody else.
import { PassThrough } from "node:stream";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { documents as limits } from "#contract/limits.ts";
import type { Caller } from "./caller.ts";
import { fileOf } from "./upload.ts";

/** An upload of a person that sends nothing until its stream ends. */
function begin(personId: number) {
  const body = new PassThrough();
  const read = fileOf({ body, headers: {} } as FastifyRequest, { personId } as Caller);
  const refused = read.then(
    () => null,
    (error: { code: string }) => error.code,
  );
  return { body, refused };
}

// proves: upload-shares
test("eleven people who hold all their places leave one to everybody else", async () => {
  const slow = Array.from({ length: 11 }, (_, person) =>
    Array.from({ length: limits.uploadsOfOne }, () => begin(person + 1)),
  ).flat();
  const mine = begin(99);
  mine.body.end("%PDF");
  expect(await mine.refused).toBeNull();
  expect(await begin(1).refused).toBe("too_many_requests");
  for (const { body } of slow) body.end();
  const answers = await Promise.all(slow.map(({ refused }) => refused));
  expect(answers.filter((code) => code !== null).length).toBeLessThanOrEqual(1);
  const again = begin(1);
  again.body.end("%PDF");
  expect(await again.refused).toBeNull();
});

// proves: upload-shares
test("so many people at most send at once; one who is done makes room", async () => {
  const people = Array.from({ length: limits.uploadsOfPeople }, (_, person) => begin(person + 1));
  expect(await begin(999).refused).toBe("too_many_requests");
  people[0]?.body.end();
  await people[0]?.refused;
  const next = begin(999);
  for (const { body } of [...people, next]) body.end();
  expect(await next.refused).toBeNull();
  await Promise.all(people.map(({ refused }) => refused));
});
