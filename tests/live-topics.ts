// The topics that a server sends to open screens by the live stream, by person.
import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { Topic } from "#contract/topics.ts";
import { liveChannel, type LiveEvent } from "#server/notifications/notice.ts";
import type { TestServer } from "./test-server.ts";

export type TopicsByPerson = ReadonlyMap<number, ReadonlySet<Topic>>;

export interface LiveListener {
  /** The topics that were sent since the last call. */
  takeTopics(): Promise<TopicsByPerson>;
  end(): Promise<void>;
}

/** Listens as the streams of a server do. */
export async function listenForTopics({ owner }: Pick<TestServer, "owner">): Promise<LiveListener> {
  const client: PoolClient = await owner.pool.connect();
  let heard: string[] = [];
  let onWord: (payload: string) => void = () => {};
  client.on("notification", ({ payload = "" }) => {
    heard.push(payload);
    onWord(payload);
  });
  await client.query(`listen ${liveChannel}`);
  return {
    async takeTopics() {
      // Notifications arrive in the order of their commits: after one's own, all the earlier ones are there.
      const word = randomUUID();
      const arrived = new Promise<void>((resolve) => {
        onWord = (payload) => payload === word && resolve();
      });
      await client.query("select pg_notify($1, $2)", [liveChannel, word]);
      await arrived;
      const liveEvents = heard
        .filter((one) => one !== word)
        .map((one) => JSON.parse(one) as LiveEvent);
      heard = [];
      const topicsByPerson = new Map<number, Set<Topic>>();
      for (const { person, notice, changed = [] } of liveEvents) {
        const topics = topicsByPerson.get(person) ?? new Set();
        for (const topic of changed) topics.add(topic);
        // A stream sends the notice itself too, after which its list is read again.
        if (notice !== undefined) topics.add("notices");
        topicsByPerson.set(person, topics);
      }
      return topicsByPerson;
    },
    async end() {
      await client.query(`unlisten ${liveChannel}`);
      client.release();
    },
  };
}
