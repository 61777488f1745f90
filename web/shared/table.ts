/** A table of the data that a view draws, for reading, with a button in the first cell of a row that chooses it. */
import { button, element, outside } from "./elements";

export interface Column<Row> {
  name: string;
  text: (row: Row) => string;
  /** Whether its cells are numbers, which stand at the end of the line. */
  isNumber?: boolean;
}

export interface TableOptions<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  choose?: (row: Row, isByKey: boolean) => void;
}

const PAGE = 200;

/** The table in a frame that scrolls. Rows after the first 200 are added by a button. */
export function table<Row>({ caption, columns, rows, choose }: TableOptions<Row>): HTMLElement {
  const body = element("tbody");
  const more = button("", () => add());
  const add = (): void => {
    const from = body.childElementCount;
    for (const row of rows.slice(from, from + PAGE)) body.append(line(row, columns, choose));
    const left = rows.length - body.childElementCount;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(PAGE, left)} more of ${left.toLocaleString("en")}`;
  };
  add();
  const head = columns.map(({ name, isNumber }) => element("th", { scope: "col", class: isNumber && "number" }, name));
  return element(
    "div",
    { class: "table-frame", tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      { class: "data" },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      body,
    ),
    more,
  );
}

function line<Row>(row: Row, columns: readonly Column<Row>[], choose?: TableOptions<Row>["choose"]): HTMLTableRowElement {
  const cells = columns.map(({ text, isNumber }, number) => {
    const shown = outside(text(row));
    if (number > 0) return element("td", { class: isNumber && "number" }, shown);
    const content = choose ? button(shown, ({ detail }) => choose(row, detail === 0), { class: "plain" }) : shown;
    return element("th", { scope: "row" }, content);
  });
  return element("tr", {}, ...cells);
}
