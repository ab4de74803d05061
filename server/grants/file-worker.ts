// The process that reads files of cards and amounts.
import { answerTasks } from "#server/process/work-entry.ts";
import { readGrantLines } from "./file-lines.ts";

answerTasks(readGrantLines);
