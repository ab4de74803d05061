// The process that reads files of persons.
import { answerTasks } from "#server/process/work-entry.ts";
import { readPersonsFile } from "./persons-file.ts";

answerTasks(readPersonsFile);
