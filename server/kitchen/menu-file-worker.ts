// The process that reads files of menus.
import { answerTasks } from "#server/process/work-entry.ts";
import { readMenuFile } from "./menu-file.ts";

answerTasks(readMenuFile);
