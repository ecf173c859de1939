//! Walks that change the user's syntax, in the order of `syn::visit_mut` and by its names: as [`visit`](super::visit), one for all visitors.

macro_rules! walk {
    ($($method:ident: $node:ident,)*) => {
        /// A node that a visitor may stop at.
        pub enum Node<'n> {
            $(
                #[doc = concat!("A `", stringify!($node), "`.")]
                $node(&'n mut syn::$node),
            )*
        }

        impl Node<'_> {
            /// Goes on to the node's parts.
            pub fn parts(self, visitor: &mut dyn VisitMut) {
                match self {
                    $(Node::$node(node) => $method(visitor, node),)*
                }
            }
        }

        /// What is done at the nodes of a walk.
        pub trait VisitMut {
            /// At a node: [`Node::parts`] goes on, and is what a visitor does at the nodes that it does not know.
            fn visit(&mut self, node: Node<'_>);

            $(
                #[doc = concat!("Starts at a `", stringify!($node), "`.")]
                fn $method(&mut self, node: &mut syn::$node)
                where
                    Self: Sized,
                {
                    self.visit(Node::$node(node));
                }
            )*
        }

        $(
            #[doc = concat!("Goes on to the parts of a `", stringify!($node), "`.")]
            pub fn $method(visitor: &mut dyn VisitMut, node: &mut syn::$node) {
                syn::visit_mut::$method(&mut Through(visitor), node);
            }
        )*

        impl syn::visit_mut::VisitMut for Through<'_> {
            $(
                fn $method(&mut self, node: &mut syn::$node) {
                    self.0.visit(Node::$node(node));
                }
            )*
        }
    };
}

struct Through<'v>(&'v mut (dyn VisitMut + 'v));

// What a visitor may stop at.
walk! {
    visit_arm_mut: Arm,
    visit_block_mut: Block,
    visit_expr_call_mut: ExprCall,
    visit_expr_closure_mut: ExprClosure,
    visit_expr_for_loop_mut: ExprForLoop,
    visit_expr_index_mut: ExprIndex,
    visit_expr_mut: Expr,
    visit_field_pat_mut: FieldPat,
    visit_item_mut: Item,
    visit_local_mut: Local,
    visit_macro_mut: Macro,
    visit_pat_ident_mut: PatIdent,
    visit_pat_mut: Pat,
    visit_stmt_mut: Stmt,
    visit_type_mut: Type,
}
