import { connect } from "../shared/host";
import "./style.css";

connect().onAnswer((answer) => {
  document.querySelector("main")!.textContent = JSON.stringify(answer.reply);
});
